/** Frequency caps: how often a visitor may see the ads in a period. */
import type { CapScope } from '../../../generated/graphql.js';
import { Icon } from '../../kit/display/icon.js';
import type { CapDraft } from '../data/campaign-draft.js';
import { periodWords, scopeWords } from './cap-words.js';
import styles from './fields.module.css';

const CAPS_MAX = 5;
const PERIODS = ['PT1H', 'P1D', 'P7D', 'P30D'];
const SCOPES: readonly CapScope[] = ['CAMPAIGN', 'AD_UNIT'];

interface CapsFieldProps {
  readonly caps: readonly CapDraft[];
  readonly onChange: (caps: readonly CapDraft[]) => void;
}

export function CapsField({ caps, onChange }: CapsFieldProps) {
  const change = (at: number, part: Partial<CapDraft>) =>
    onChange(caps.map((cap, index) => (index === at ? { ...cap, ...part } : cap)));
  return (
    <fieldset className={styles.group}>
      <legend className="label">Frequency caps</legend>
      {caps.map((cap, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cap has no identity but its place
        <div key={at} className={styles.row} data-kind="cap">
          <input
            className="input"
            type="number"
            min={1}
            max={200}
            aria-label={`Impressions of cap ${at + 1}`}
            value={cap.count}
            onChange={({ target }) => change(at, { count: target.value })}
            required
          />
          <select
            className="input"
            aria-label={`Period of cap ${at + 1}`}
            value={cap.period}
            onChange={({ target }) => change(at, { period: target.value })}
          >
            {[...new Set([...PERIODS, cap.period])].map((period) => (
              <option key={period} value={period}>
                {`in ${periodWords(period)}`}
              </option>
            ))}
          </select>
          <select
            className="input"
            aria-label={`What cap ${at + 1} counts`}
            value={cap.scope}
            onChange={({ target }) => change(at, { scope: target.value as CapScope })}
          >
            {SCOPES.map((scope) => (
              <option key={scope} value={scope}>
                {scopeWords[scope]}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="button quiet icon"
            aria-label={`Remove cap ${at + 1}`}
            onClick={() => onChange(caps.filter((_cap, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div className={styles.foot}>
        <button
          type="button"
          className="button small"
          disabled={caps.length === CAPS_MAX}
          onClick={() => onChange([...caps, { scope: 'CAMPAIGN', count: '5', period: 'P1D' }])}
        >
          <Icon name="plus" /> Add a cap
        </button>
        <span className="note">Zones of the design Basic, and unknown visitors, do not get ads with caps.</span>
      </div>
    </fieldset>
  );
}
