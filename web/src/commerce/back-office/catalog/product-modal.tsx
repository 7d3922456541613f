/** A product: its data and its live stock. */

import { type ReactNode, useState } from 'react';
import { useData } from '../../../api/use-data.js';
import { formatCount, formatDate } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import { Link } from '../../../kit/controls/link.js';
import { Modal } from '../../../kit/controls/modal.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty, Failure, Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { ShareLink } from '../../../shell/share-link.js';
import { nameOfType } from '../../products/type-name.js';
import { CatalogProductDocument, type ProductDetail, restock } from '../data/products.js';
import { type StockFigures, useStock } from '../data/stock.js';
import { ringUp } from '../data/till.js';
import styles from './product-modal.module.css';
import { ProductPictures } from './product-pictures.js';

export function ProductModal({ sku, onClose }: { sku: string; onClose: () => void }) {
  const { data, error, again } = useData(CatalogProductDocument, { sku });
  const product = data?.product;
  return (
    <Modal title={product?.title ?? sku} open onOpenChange={onClose} wide>
      {error && !product && <Failure again={again}>{error}</Failure>}
      {!data && !error && <SkeletonRows rows={6} />}
      {data && !product && <Empty icon="search" title={`Product ${sku} not found`} />}
      {product && <Product product={product} />}
    </Modal>
  );
}

function Product({ product }: { product: ProductDetail }) {
  const stock = useStock([product.sku])?.get(product.sku) ?? product.stock;
  return (
    <div className={styles.columns}>
      <div className={styles.side}>
        <Stock stock={stock} />
        <RestockForm sku={product.sku} />
        <SellButton sku={product.sku} soldOut={stock.available === 0} />
        <ShareLink id={product.id} className="button" />
      </div>
      <div>
        <ProductPictures product={product} />
        {product.description && <p className={styles.description}>{product.description}</p>}
        <dl className={styles.facts}>
          {factsOf(product).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {product.__typename === 'AudioAlbum' && product.tracks.length > 0 && (
          <ol className={styles.tracks} aria-label="Tracks">
            {product.tracks.map(({ title, seconds }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tracks are identified only by their position
              <li key={at}>
                {title} <span className="note">{playingTime(seconds)}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}

/** 344 as 5:44. */
const playingTime = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function factsOf(product: ProductDetail): [name: string, value: ReactNode][] {
  const { sku, type, price, listPrice, discountPercent, asin, shipping, properties, categories } = product;
  const discounted = listPrice.amount > price.amount;
  const facts: [string, ReactNode][] = [
    ['SKU', <code key="sku">{sku}</code>],
    ['Type', nameOfType(type)],
    ['Price', formatMoney(price)],
    ['List price', discounted && `${formatMoney(listPrice)} (${discountPercent}% off)`],
    ['ASIN', asin],
    ...detailsOf(product),
    ['Weight', shipping?.weight && `${formatCount(shipping.weight)} g`],
    ['Size', shipping?.dimensions && sizeOf(shipping.dimensions)],
    ['Categories', categories.map(({ name }) => name).join(', ')],
    ...properties.map(({ name, value }): [string, ReactNode] => [nameOfType(name), value]),
  ];
  return facts.filter(([, value]) => value);
}

const sizeOf = ({ width, height, depth }: { width: number; height: number; depth: number }) =>
  `${formatCount(width)} × ${formatCount(height)} × ${formatCount(depth)} mm`;

function detailsOf(product: ProductDetail): [name: string, value: ReactNode][] {
  if (product.__typename === 'GeneralProduct') return [];
  const issued = product.issuedOn && formatDate(Date.parse(product.issuedOn));
  const shared: [string, ReactNode][] = [
    ['Genres', product.genres.join(', ')],
    ['Released', issued],
  ];
  if (product.__typename === 'AudioAlbum') return [['Artist', product.artist], ...shared];
  return [
    ['Directed by', product.directors.join(', ')],
    ['Written by', product.writers.join(', ')],
    ['Cast', product.actors.join(', ')],
    ...shared,
    ['Aspect ratio', product.aspectRatio],
  ];
}

function Stock({ stock: { available, inCarts, sold, stocked } }: { stock: StockFigures }) {
  const figures: [string, number][] = [
    ['Available', available],
    ['In carts', inCarts],
    ['Sold', sold],
    ['Total stocked', stocked],
  ];
  return (
    <dl className={styles.stock}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatCount(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function RestockForm({ sku }: { sku: string }) {
  const { busy, refusal, submit } = useForm(async (fields, form) => {
    const refused = await restock(sku, Number(textOf(fields, 'quantity')));
    if (refused === null) form.reset();
    return refused;
  });
  return (
    <form className={styles.restock} onSubmit={submit}>
      <TextField label="Units received" name="quantity" type="number" min={1} max={1_000_000_000} step={1} required />
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <button type="submit" className="button" disabled={busy}>
        {busy ? 'Restocking…' : 'Restock'}
      </button>
    </form>
  );
}

/** Adds one unit to the cart at the till. */
function SellButton({ sku, soldOut }: { sku: string; soldOut: boolean }) {
  const [outcome, setOutcome] = useState<{ readonly refusal: string | null } | null>(null);
  const sell = async () => setOutcome({ refusal: await ringUp(sku) });
  return (
    <>
      {outcome?.refusal && <Notice tone="bad">{outcome.refusal}</Notice>}
      {outcome && !outcome.refusal && (
        <Notice tone="good" icon="check" action={<Link href="/commerce/till">Go to the till</Link>}>
          One unit was added to the cart at the till.
        </Notice>
      )}
      <button type="button" className="button" disabled={soldOut} onClick={() => void sell()}>
        <Icon name="cart" /> {soldOut ? 'Out of stock' : 'Add one to the cart at the till'}
      </button>
    </>
  );
}
