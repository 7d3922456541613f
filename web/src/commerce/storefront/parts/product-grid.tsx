/** A grid of products with live stock. */
import { Link } from '../../../kit/controls/link.js';
import { Skeleton } from '../../../kit/display/skeleton.js';
import { AddButton } from './add-button.js';
import { productAddress } from './addresses.js';
import { Cover } from './cover.js';
import { Price } from './price.js';
import styles from './product-grid.module.css';
import { makerOf, type ShelfProduct, type StockLevel, useStock } from './shelf.js';
import { StockMark } from './stock-mark.js';

interface ProductGridProps {
  readonly products: readonly ShelfProduct[];
  readonly label: string;
  /** One of several rows on a page, with six or twelve products. */
  readonly shelf?: boolean;
}

export function ProductGrid({ products, label, shelf = false }: ProductGridProps) {
  const stock = useStock(products.map(({ sku }) => sku));
  return (
    <ul className={styles.grid} aria-label={label} data-shelf={shelf || undefined}>
      {products.map((product) => (
        <ProductCard
          key={product.sku}
          product={product}
          level={stock?.get(product.sku) ?? product.stock}
          heading={shelf ? 'h3' : 'h2'} // one level below the heading above the grid
        />
      ))}
    </ul>
  );
}

interface ProductCardProps {
  readonly product: ShelfProduct;
  readonly level: StockLevel;
  readonly heading: 'h2' | 'h3';
}

function ProductCard({ product, level, heading: Heading }: ProductCardProps) {
  const { sku, type, title, image } = product;
  const maker = makerOf(product);
  return (
    <li className={styles.card} data-sold-out={level.available === 0 || undefined}>
      <Cover sku={sku} type={type} title={title} maker={maker} image={image} />
      <div className={styles.words}>
        <p className={styles.maker}>{maker}</p>
        <Heading className={styles.title}>
          <Link href={productAddress(sku)}>{title}</Link>
        </Heading>
      </div>
      <div className={styles.foot}>
        <div>
          <Price of={product} />
          <StockMark level={level} />
        </div>
        <AddButton sku={sku} title={title} soldOut={level.available === 0} />
      </div>
    </li>
  );
}

/** A placeholder with the size of the grid. */
export function WaitingGrid({ count, shelf = false }: { count: number; shelf?: boolean }) {
  return (
    <div className={styles.grid} role="status" aria-label="Loading" data-shelf={shelf || undefined}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are alike and never move
        <div key={index} className={styles.card}>
          <div className={styles.waiting}>
            <Skeleton height="100%" />
          </div>
          <div className={styles.words}>
            <Skeleton width="45%" height="13px" />
            <Skeleton width={`${92 - ((index * 29) % 40)}%`} height="18px" />
          </div>
          <div className={styles.foot}>
            <Skeleton width="76px" height="24px" />
          </div>
        </div>
      ))}
    </div>
  );
}
