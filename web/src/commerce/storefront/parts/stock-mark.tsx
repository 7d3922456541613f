/** The stock level in words. */
import type { StockLevel } from './shelf.js';
import styles from './stock-mark.module.css';

/** Up to this level the exact number is shown. */
const FEW = 5;

export type Supply = 'plenty' | 'few' | 'held' | 'none';

function supplyOf({ available, inCarts }: Pick<StockLevel, 'available' | 'inCarts'>): Supply {
  if (available > FEW) return 'plenty';
  if (available > 0) return 'few';
  return inCarts > 0 ? 'held' : 'none';
}

const words: Record<Supply, (available: number) => string> = {
  plenty: () => 'In stock',
  few: (available) => (available === 1 ? 'Only one left' : `Only ${available} left`),
  held: () => 'All in carts right now',
  none: () => 'Sold out',
};

export function StockMark({ level }: { level: Pick<StockLevel, 'available' | 'inCarts'> }) {
  const supply = supplyOf(level);
  return (
    <span className={styles.mark} data-supply={supply}>
      {words[supply](level.available)}
    </span>
  );
}
