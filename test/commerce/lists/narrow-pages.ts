/** The pages of commerce with long content. */
import type { Product } from '../../../harness/product.js';
import { ask, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';
import { MONEY } from '../../browser/support/shop.js';

export const SKU = `SKU-${'9'.repeat(60)}`;
const TITLE = `${LONG}${LONG}${LONG}`;
const VALUE = `${LONG}${LONG}`;

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [
    ['/commerce', '/commerce', LONG],
    ['/commerce', `/commerce?sku=${SKU}`, VALUE],
    ['/commerce', `/commerce?property=maker&value=${VALUE}`, /^Maker: /],
    ['/commerce/categories', '/commerce/categories', LONG],
    ['/commerce/carts', '/commerce/carts', '€123,456.78'],
    ['/commerce/till', '/commerce/till', 'Pay from'],
    ['/commerce/orders', '/commerce/orders', LONG],
    ['/commerce/accounts', '/commerce/accounts', 'The store'],
    ['/commerce/recovery', '/commerce/recovery', 'Finish or reverse stalled transfers'],
  ],
  forVisitors: [
    ['/shop', '/shop', LONG],
    ['/shop/all', '/shop/all', LONG],
    ['/shop/all', `/shop/all?property=maker&value=${VALUE}&from=100000`, 'and up'],
    ['/shop/search', `/shop/search?q=${LONG}`, '“Donau'],
    ['/shop/c', '/shop/c/many', 'products'],
    ['/shop/p', `/shop/p/${SKU}`, 'Add to cart'],
    ['/shop/sign-in', '/shop/sign-in', 'Sign in'],
  ],
  forCustomers: [
    ['/shop/cart', '/shop/cart', 'Go to checkout'],
    ['/shop/checkout', '/shop/checkout', 'Pay €'],
    ['/shop/orders', '/shop/orders', LONG],
  ],
};

async function fill(product: Product): Promise<void> {
  await ask(product, `mutation ($name: String!) { addCategory(input: { slug: "many", name: $name }) { __typename } }`, {
    name: LONG,
  });
  for (let n = 0; n < 30; n += 1)
    await ask(product, 'mutation ($input: AddCategoryInput!) { addCategory(input: $input) { __typename } }', {
      input: {
        slug: `below-${n}`,
        name: n === 0 ? TITLE.slice(0, 180) : `Another category number ${n}`,
        under: 'many',
      },
    });
  const products = Array.from({ length: 3 }, (_, n) => ({
    sku: n === 0 ? SKU : `OTHER-${n}`,
    title: n === 0 ? TITLE : `A thing that has a name of several words, number ${n}`,
    type: n === 0 ? 'A_TYPE_WITH_A_NAME_THAT_IS_VERY_LONG_INDEED_AND_ON' : `KIND_NUMBER_${n}`,
    price: MONEY(n === 0 ? 12_345_678 : 999),
    listPrice: MONEY(99_999_999),
    description: `${VALUE}\n`.repeat(2).trim().replaceAll('\n', ' '),
    categories: ['many', 'below-0'],
    properties: [{ name: 'maker', value: VALUE }],
  }));
  await ask(product, 'mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }', {
    products,
  });
  await ask(product, 'mutation ($sku: String!) { restock(sku: $sku, quantity: 1000000) { sku } }', { sku: SKU });
}
