import type { Money } from '../../../../generated/graphql.js';
import { formatMoney } from '../../../kit/base/money.js';
import styles from './price.module.css';

interface PriceProps {
  readonly of: {
    readonly price: Pick<Money, 'amount' | 'currency'>;
    readonly listPrice: Pick<Money, 'amount' | 'currency'>;
    readonly discountPercent: number;
  };
  readonly large?: boolean;
}

/** The price, and the list price if it is higher. */
export function Price({ of: { price, listPrice, discountPercent }, large = false }: PriceProps) {
  const share = Math.floor(discountPercent);
  return (
    <p className={styles.price} data-large={large || undefined}>
      <strong>{formatMoney(price)}</strong>
      {listPrice.amount > price.amount && (
        <>
          <s>
            <span className="hidden">List price </span>
            {formatMoney(listPrice)}
          </s>
          {share >= 1 && <span className={styles.saving}>{share}% off</span>}
        </>
      )}
    </p>
  );
}
