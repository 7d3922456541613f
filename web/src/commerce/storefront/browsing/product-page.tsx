/** A product: description, price and live stock. */
import { type ReactNode, useState } from 'react';
import { graphql } from '../../../../generated/gql.js';
import type { ShopProductQuery } from '../../../../generated/graphql.js';
import '../../../comments/discussion/discussion.css';
import { Discussion } from '../../../comments/discussion/discussion.js';
import { formatDate, formatSpan } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { useTitle } from '../../../kit/base/title.js';
import { Link } from '../../../kit/controls/link.js';
import { QuantityField } from '../../../kit/controls/quantity-field.js';
import { Empty, Failure } from '../../../kit/display/notice.js';
import { AdPlace } from '../parts/ad-place.js';
import { AddButton } from '../parts/add-button.js';
import { allAddress, cartAddress, categoryAddress, listAddress, signInAddress } from '../parts/addresses.js';
import { Breadcrumb } from '../parts/breadcrumb.js';
import { cartStore, hasExpired, type LineRefusal, linesOf } from '../parts/cart.js';
import { Cover } from '../parts/cover.js';
import { Price } from '../parts/price.js';
import { ProductGrid } from '../parts/product-grid.js';
import { tellRefusal } from '../parts/refusals.js';
import { kindName, makerOf, type StockLevel, useStock } from '../parts/shelf.js';
import { StockMark } from '../parts/stock-mark.js';
import { useShopData } from '../parts/use-shop-data.js';
import styles from './product-page.module.css';
import { ProductWaiting } from './product-waiting.js';

const ProductDocument = graphql(`
  query ShopProduct($sku: String!) {
    product(sku: $sku) {
      ...ShelfProduct
      description
      images { id url(width: 1280) }
      shipping { weight dimensions { width height depth } }
      categories {
        id
        slug
        name
        ancestors { id slug name }
      }
      ... on AudioAlbum { genres issuedOn tracks { title seconds } }
      ... on Film { writers actors genres issuedOn aspectRatio }
    }
  }
`);

/** One more than is shown, since this product may be among them. */
const ShelfDocument = graphql(`
  query ShopShelf($slug: String!) {
    category(slug: $slug) { id products(first: 7) { edges { node { ...ShelfProduct } } } }
  }
`);

type Product = NonNullable<ShopProductQuery['product']>;

export function ProductPage({ sku }: { sku: string }) {
  const { data, error, again } = useShopData(ProductDocument, { sku });
  const level = useStock([sku])?.get(sku);
  useTitle(data?.product?.title ?? 'Product');
  if (error && !data) return <Failure again={again}>{error}</Failure>;
  if (!data) return <ProductWaiting />;
  if (!data.product) return <Gone />;
  return <Offer key={sku} product={data.product} level={level ?? data.product.stock} />;
}

const Gone = () => (
  <>
    <h1 className="hidden">Product not found</h1>
    <Empty icon="search" title="This product is not available" action={<Link href={allAddress}>See all products</Link>}>
      It may have been removed from the catalog.
    </Empty>
  </>
);

/** The first picture is large until another one is chosen. */
function Pictures({ product }: { product: Product }) {
  const { sku, type, title, images } = product;
  const [chosen, setChosen] = useState(0);
  return (
    <>
      <Cover sku={sku} type={type} title={title} maker={makerOf(product)} image={images[chosen] ?? images[0]} />
      {images.length > 1 && (
        <ul className={styles.pictures} aria-label="Pictures">
          {images.map(({ id, url }, at) => (
            <li key={id}>
              <button type="button" aria-pressed={at === chosen} onClick={() => setChosen(at)}>
                <img src={url} alt={`${title}, ${at + 1} of ${images.length}`} loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Offer({ product, level }: { product: Product; level: StockLevel }) {
  const { sku, type, title, description } = product;
  const [quantity, setQuantity] = useState(1);
  const [refusal, setRefusal] = useState<LineRefusal | null>(null);
  const [taking, setTaking] = useState(false);
  const { cart } = useStore(cartStore);
  const line = hasExpired(cart) ? undefined : linesOf(cart).find((each) => each.sku === sku);
  const own = line?.quantity ?? 0;
  const category = product.categories[0];
  const maker = makerOf(product);
  const soldOut = level.available === 0;
  const wanted = Math.min(quantity, Math.max(1, level.available));

  return (
    <article className={styles.page}>
      <div className={styles.way}>
        <Breadcrumb steps={category ? [...[...category.ancestors].reverse(), category] : []} />
      </div>
      <div className={styles.picture}>
        <Pictures product={product} />
      </div>
      <div className={styles.words}>
        <header className={styles.header}>
          <p className={styles.kind}>{kindName(type)}</p>
          <h1>{title}</h1>
          {maker && <p className={styles.maker}>{maker}</p>}
        </header>
        <Price of={product} large />
        <div className={styles.buy} aria-live="polite">
          <StockMark level={level} />
          {own > 0 && (
            <p className={styles.own}>
              {own === 1 ? 'One is' : `${own} are`} in <Link href={cartAddress}>your cart</Link>, reserved for you.
              {line &&
                line.unitPrice.amount !== product.price.amount &&
                ` You added it at ${formatMoney(line.unitPrice)}; more units cost the same.`}
            </p>
          )}
        </div>
        <div className={styles.take}>
          {!soldOut && level.available > 1 && (
            <QuantityField label="Quantity" value={wanted} max={level.available} onChange={setQuantity} />
          )}
          <AddButton
            large
            sku={sku}
            title={title}
            quantity={wanted}
            soldOut={soldOut}
            onRefused={setRefusal}
            onBusy={setTaking}
          />
        </div>
        <SupplyNotice lines={taking ? [] : supplyWords(level, own, refusal, title)} />
        {description && <p className={styles.description}>{description}</p>}
        <Facts product={product} />
        {'tracks' in product && product.tracks.length > 0 && <Tracks tracks={product.tracks} />}
      </div>
      <AdPlace keywords={keywordsOf(product)} />
      <div className={styles.discussion}>
        <Discussion on={product.id} signInAt={signInAddress} />
      </div>
      {category && <Others slug={category.slug} sku={sku} instead={soldOut && own === 0} />}
    </article>
  );
}

/** What the product is about, for ads: its genres, its categories with those above them, and who made it. */
function keywordsOf(product: Product): readonly string[] {
  const genres = 'genres' in product ? product.genres : [];
  const categories = product.categories.flatMap(({ name, ancestors }) => [
    name,
    ...ancestors.map((above) => above.name),
  ]);
  return [...new Set([...genres, ...categories, makerOf(product) ?? ''])];
}

/**
 * Why the product is not available right now, and what may happen next.
 * @param own units in this customer's cart
 */
function supplyWords(
  { available, inCarts }: StockLevel,
  own: number,
  refusal: LineRefusal | null,
  title: string,
): readonly string[] {
  const lines: string[] = [];
  if (refusal && (available === 0 || refusal.__typename !== 'InsufficientStock' || refusal.available > 0))
    lines.push(tellRefusal(refusal, title));
  if (available > 0) return lines;
  if (inCarts > own)
    lines.push('The last ones are in other customers’ carts. If one is released, you can buy it here.');
  else if (own > 0) lines.push('You have the last units in your cart.');
  else lines.push('It is sold out. This page updates as soon as it is back in stock.');
  return lines;
}

const SupplyNotice = ({ lines }: { lines: readonly string[] }) => (
  <div role="status" className={styles.supply}>
    {lines.map((line) => (
      <p key={line}>{line}</p>
    ))}
  </div>
);

/** @param instead whether they are offered in place of an unavailable product */
function Others({ slug, sku, instead }: { slug: string; sku: string; instead: boolean }) {
  const { data } = useShopData(ShelfDocument, { slug });
  const others = (data?.category?.products.edges ?? [])
    .map(({ node }) => node)
    .filter((other) => other.sku !== sku && !(instead && other.stock.available === 0));
  if (others.length === 0) return null;
  const title = instead ? 'You may like these instead' : 'More from this category';
  return (
    <section className={styles.others} aria-labelledby="others-title">
      <h2 id="others-title">{title}</h2>
      <ProductGrid shelf products={others.slice(0, 6)} label={title} />
    </section>
  );
}

function Facts({ product }: { product: Product }) {
  const { shipping, properties } = product;
  const facts: [string, ReactNode][] = [];
  if ('writers' in product) {
    if (product.actors.length > 0) {
      facts.push(['Cast', <Several key="actors" names={product.actors} address={(actor) => listAddress({ actor })} />]);
    }
    if (product.writers.length > 0) facts.push(['Written by', product.writers.join(', ')]);
    if (product.aspectRatio) facts.push(['Aspect ratio', product.aspectRatio]);
    if (product.genres.length > 0) facts.push(['Genre', product.genres.join(', ')]);
  }
  if ('tracks' in product && product.genres.length > 0) {
    facts.push(['Genre', <Several key="genres" names={product.genres} address={(genre) => listAddress({ genre })} />]);
  }
  if ('issuedOn' in product && product.issuedOn) facts.push(['Released', formatDate(Date.parse(product.issuedOn))]);
  for (const { name, value } of properties) {
    facts.push([
      name.charAt(0).toUpperCase() + name.slice(1),
      <Link key={value} href={listAddress({ property: name, value })}>
        {value}
      </Link>,
    ]);
  }
  if (shipping?.weight) facts.push(['Weight', `${shipping.weight} g`]);
  const size = shipping?.dimensions;
  if (size) facts.push(['Size', `${size.width} × ${size.height} × ${size.depth} mm`]);
  if (product.categories.length > 0) {
    facts.push([
      'Category',
      product.categories.map(({ id, slug, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={categoryAddress(slug)}>{name}</Link>
        </span>
      )),
    ]);
  }
  facts.push(['SKU', product.sku]);
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two properties may have the same name, and the order is fixed
        <div key={`${index} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const Several = ({ names, address }: { names: readonly string[]; address: (name: string) => string }) =>
  names.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Link href={address(name)}>{name}</Link>
    </span>
  ));

function Tracks({ tracks }: { tracks: readonly { readonly title: string; readonly seconds: number }[] }) {
  return (
    <section aria-labelledby="tracks-title">
      <h2 id="tracks-title" className={styles.subtitle}>
        {tracks.length === 1 ? 'One track' : `${tracks.length} tracks`},{' '}
        {formatSpan(tracks.reduce((sum, { seconds }) => sum + seconds, 0))}
      </h2>
      <ol className={styles.tracks}>
        {tracks.map(({ title, seconds }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tracks may have the same title, and the order is fixed
          <li key={`${index} ${title}`}>
            <span>{title}</span>
            <span className={styles.length}>
              {Math.floor(seconds / 60)}:{String(Math.floor(seconds % 60)).padStart(2, '0')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
