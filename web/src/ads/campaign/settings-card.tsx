/** The price, caps and placements of a campaign. */
import { formatMoney } from '../../kit/base/money.js';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { useRole } from '../../shell/access.js';
import type { Campaign } from '../data/campaigns.js';
import { zonePath } from '../data/zones.js';
import { periodWords, scopeWords } from '../parts/cap-words.js';
import styles from './campaign.module.css';

export function SettingsCard({ campaign }: { readonly campaign: Campaign }) {
  const edits = useRole('EDITOR');
  const { price, priceModel, ecpm, pacing, caps, placements } = campaign;
  const currency = price.currency;
  return (
    <Card title="Settings">
      <dl className={styles.settings}>
        <dt>Price</dt>
        <dd>
          {formatMoney(price)} {priceModel === 'CPM' ? 'for 1,000 impressions' : 'for a click'}
          {priceModel === 'CPC' && (
            <span className="note"> eCPM {formatMoney({ amount: Math.round(ecpm), currency })}</span>
          )}
        </dd>
        <dt>Pace</dt>
        <dd>{pacing === 'EVEN' ? 'Evenly over the flight' : 'As soon as possible'}</dd>
        <dt>Caps</dt>
        <dd>
          {caps.length === 0
            ? 'None'
            : caps.map(({ scope, count, period }) => (
                <span key={`${scope} ${count} ${period}`} className={styles.line}>
                  {count} in {periodWords(period)}, {scopeWords[scope]}
                </span>
              ))}
        </dd>
        <dt>Zones</dt>
        <dd>
          {placements.length === 0
            ? 'None yet: nothing would be shown'
            : placements.map((placement) => {
                const name = `${placement.site}/${placement.zone}`;
                return (
                  <span key={name} className={styles.line}>
                    {edits ? <Link href={zonePath(placement)}>{name}</Link> : name}
                  </span>
                );
              })}
        </dd>
      </dl>
    </Card>
  );
}
