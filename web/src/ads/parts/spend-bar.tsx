/** How much of a budget is spent, as a bar; with a mark where an even pace would be, for campaigns that keep one. */
import { formatMoney } from '../../kit/base/money.js';
import type { CampaignRow } from '../data/campaigns.js';
import styles from './spend-bar.module.css';

export function SpendBar({
  campaign,
}: {
  readonly campaign: Pick<CampaignRow, 'state' | 'budget' | 'spent' | 'pacing' | 'progress'>;
}) {
  const { state, budget, spent, pacing, progress } = campaign;
  const share = (amount: number) => Math.min(1, budget.amount === 0 ? 0 : amount / budget.amount);
  const expected = pacing === 'EVEN' && (state === 'RUNNING' || state === 'PAUSED') ? progress.expected : null;
  return (
    <div
      className={styles.bar}
      role="img"
      aria-label={`${formatMoney(spent)} of ${formatMoney(budget)} spent${
        expected ? `, an even pace would have spent ${formatMoney(expected)}` : ''
      }`}
    >
      <span className={styles.spent} style={{ transform: `scaleX(${share(spent.amount)})` }} />
      {expected && <span className={styles.expected} style={{ left: `${100 * share(expected.amount)}%` }} />}
    </div>
  );
}
