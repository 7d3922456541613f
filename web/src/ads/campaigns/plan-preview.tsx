/** What to expect of a campaign while it is entered: impressions, spend, its rank, and remarks. */
import type { CampaignInput } from '../../../generated/graphql.js';
import { formatCount } from '../../kit/base/format.js';
import { formatMoney, inMoney } from '../../kit/base/money.js';
import { useLast } from '../../kit/base/use-last.js';
import { useQuiet } from '../../kit/base/use-quiet.js';
import { Notice } from '../../kit/display/notice.js';
import { usePlan } from '../data/campaign-plan.js';
import { Facts } from '../parts/facts.js';
import styles from './plan-preview.module.css';

/** The plan does not depend on the name, which may still be empty. */
const NAME = 'Plan';

/** @param input or what is missing, as a sentence */
export function PlanPreview({ input }: { readonly input: CampaignInput | string }) {
  const asked = useQuiet(typeof input === 'string' ? '' : JSON.stringify({ ...input, name: NAME }));
  const { data, error } = usePlan(asked === '' ? null : (JSON.parse(asked) as CampaignInput));
  const plan = useLast(data?.campaignPlan ?? null);
  return (
    <section className={styles.plan} aria-label="What to expect" aria-live="polite">
      <h3>What to expect</h3>
      {typeof input === 'string' && (
        <p className="note">{input} to see what the zones’ traffic of the last week allows.</p>
      )}
      {typeof input !== 'string' && error !== null && <Notice tone="bad">{error}</Notice>}
      {typeof input !== 'string' && error === null && (
        <>
          <Facts
            facts={[
              ['Impressions', plan && `about ${formatCount(plan.expectedImpressions)}`],
              ['Spend', plan && `about ${formatMoney(plan.expectedSpend)}`],
              ['Zones', plan && `${plan.zones} of ${input.placements?.length ?? 0}`],
              ['Rank by eCPM', plan && (plan.rank === null ? '—' : `${plan.rank}.`)],
            ]}
          />
          {plan && plan.notes.length > 0 && (
            <ul className={styles.notes}>
              {plan.notes.map((note) => (
                <li key={note}>{inMoney(note)}.</li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
