/** Table rows of products with live stock. */

import { formatCount } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import cells from '../../../kit/lists/cells.module.css';
import type { Edge } from '../../../kit/lists/paged-table.js';
import { nameOfType } from '../../products/type-name.js';
import type { ProductSummary } from '../data/products.js';
import { type StockFigures, useStock } from '../data/stock.js';
import styles from './product-rows.module.css';

export const productColumns = ['Product', 'Type', 'Price', 'Available', 'In carts', 'Sold'] as const;

interface ProductRowsProps {
  readonly edges: readonly Edge<ProductSummary>[];
  readonly onOpen: (sku: string) => void;
}

export function ProductRows({ edges, onOpen }: ProductRowsProps) {
  const stock = useStock(edges.map(({ node }) => node.sku));
  return edges.map(({ node }) => (
    <ProductRow key={node.sku} product={node} stock={stock?.get(node.sku) ?? node.stock} onOpen={onOpen} />
  ));
}

interface ProductRowProps {
  readonly product: ProductSummary;
  readonly stock: StockFigures;
  readonly onOpen: (sku: string) => void;
}

function ProductRow({
  product: { sku, title, type, price, listPrice, discountPercent },
  stock,
  onOpen,
}: ProductRowProps) {
  return (
    <tr className={styles.row}>
      <th scope="row">
        <button type="button" className={`${cells.who} ${styles.title}`} onClick={() => onOpen(sku)}>
          {title}
        </button>
        <span className={`mono ${cells.second}`}>{sku}</span>
      </th>
      <td>
        <span className="badge">{nameOfType(type)}</span>
      </td>
      <td className={cells.moment}>
        {formatMoney(price)}
        {listPrice.amount > price.amount && (
          <span className={cells.second}>
            <s>{formatMoney(listPrice)}</s> {discountPercent >= 1 && `−${Math.floor(discountPercent)}%`}
          </span>
        )}
      </td>
      <td>
        <span className={cells.narrow}>available </span>
        <span className={styles.available} data-none={stock.available === 0}>
          {formatCount(stock.available)}
        </span>
      </td>
      <td>
        <span className={cells.narrow}>in carts </span>
        {formatCount(stock.inCarts)}
      </td>
      <td>
        <span className={cells.narrow}>sold </span>
        {formatCount(stock.sold)}
      </td>
    </tr>
  );
}
