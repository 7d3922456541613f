/** The mutations of the shop. Each step needs the previous ones. */
import type { MutationStep } from '../../support/domain/mutation-step.js';

export const euros = (amount: number) => `{ amount: ${amount}, currency: "EUR" }`;

export const mutationSteps: readonly MutationStep[] = [
  { mutation: 'addCategory', text: () => '(input: { name: "Music", slug: "music" }) { __typename }' },
  { mutation: 'addCategory', text: () => '(input: { name: "Jazz", slug: "jazz" }) { __typename }' },
  { mutation: 'moveCategory', text: () => '(slug: "jazz", under: "music") { __typename }' },
  { mutation: 'renameCategory', text: () => '(slug: "jazz", name: "Cool jazz") { __typename }' },
  { mutation: 'removeCategory', text: () => '(slug: "jazz") { __typename }' },
  {
    mutation: 'saveProducts',
    text: () => `(products: [{ sku: "A", title: "A thing", type: "THING", price: ${euros(100)} }]) { saved }`,
    isUnaudited: true,
  },
  {
    mutation: 'saveProducts',
    text: () => `(products: [{ sku: "A", title: "A thing", type: "THING", price: ${euros(120)} }]) { saved }`,
  },
  { mutation: 'changeProductImages', text: () => '(sku: "A", imageIds: []) { __typename }' },
  { mutation: 'restock', text: () => '(sku: "A", quantity: 10, idempotencyKey: "restock") { available }' },
  {
    mutation: 'openAccount',
    text: () => `(input: { openingBalance: ${euros(10_000)} }) { id }`,
    tells: ({ id }) => ({ from: String(id) }),
  },
  {
    mutation: 'openAccount',
    text: () => `(input: { owner: "Petty cash", openingBalance: ${euros(10_000)} }) { id }`,
    tells: ({ id }) => ({ to: String(id) }),
  },
  {
    mutation: 'transfer',
    text: ({ from, to }) =>
      `(from: "${from}", to: "${to}", amount: ${euros(5)}, idempotencyKey: "pay") { ... on Transfer { id } }`,
    tells: ({ id }) => ({ moved: String(id) }),
    isUnaudited: true,
  },
  {
    mutation: 'reverseTransfer',
    text: ({ moved }) => `(id: "${moved}", idempotencyKey: "undo") { __typename }`,
  },
  {
    mutation: 'transfer',
    text: ({ from, to }) =>
      `(from: "${to}", to: "${from}", amount: ${euros(5)}, idempotencyKey: "back") { __typename }`,
  },
  { mutation: 'startCart', text: () => '{ id }', tells: ({ id }) => ({ cart: String(id) }), as: 'visitor' },
  { mutation: 'addToCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 3) { __typename }` },
  { mutation: 'changeQuantity', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 2) { __typename }` },
  { mutation: 'removeFromCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A") { __typename }` },
  { mutation: 'addToCart', text: ({ cart }) => `(cartId: "${cart}", sku: "A", quantity: 1) { __typename }` },
  {
    mutation: 'checkOut',
    text: ({ cart, to }) =>
      `(cartId: "${cart}", payment: { account: "${to}" }, idempotencyKey: "out") { ... on Order { id } }`,
    tells: ({ id }) => ({ order: String(id) }),
  },
  { mutation: 'raiseOrderQuantity', text: ({ order }) => `(orderId: "${order}", sku: "A", by: 1) { __typename }` },
  { mutation: 'refundOrder', text: ({ order }) => `(orderId: "${order}") { __typename }` },
  { mutation: 'deleteOrder', text: ({ order }) => `(orderId: "${order}") { __typename }` },
];
