/** The ad units of a campaign with previews at their sizes, their counts, keywords and bids. */
import { type CSSProperties, useState } from 'react';
import { formatCount, formatShare } from '../../kit/base/format.js';
import { formatMoney } from '../../kit/base/money.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import { removeAdUnit } from '../data/ad-units.js';
import { type Counts, type UnitCounts, useUnitCounts } from '../data/campaign-stats.js';
import type { AdUnit, Campaign } from '../data/campaigns.js';
import { useSizesOf } from '../data/offered-zones.js';
import { AdPreview, readSize } from '../parts/ad-preview.js';
import { AdUnitModal } from './ad-unit-modal.js';
import styles from './units-card.module.css';

const UNITS_MAX = 20;
const COMMON_SIZES = ['300x250', '728x90', '160x600', '320x50', '970x250'];

type Asked = { readonly act: 'edit'; readonly unit: AdUnit | null } | { readonly act: 'remove'; readonly unit: AdUnit };

interface UnitsCardProps {
  readonly campaign: Campaign;
  /** Those of the campaign or of one of its units, live. Null until they are known. */
  readonly totals: Counts | null;
}

export function UnitsCard({ campaign, totals }: UnitsCardProps) {
  const { id, state, flight, adUnits, budget, advertiser, placements } = campaign;
  const counts = useUnitCounts(id, flight, totals);
  const sizes = useSizesOf(placements);
  const [asked, setAsked] = useState<Asked | null>(null);
  const isOpen = state !== 'ENDED';
  const close = () => setAsked(null);
  const add = isOpen && (
    <button
      type="button"
      className="button"
      disabled={adUnits.length >= UNITS_MAX}
      onClick={() => setAsked({ act: 'edit', unit: null })}
    >
      <Icon name="plus" /> Add an ad unit
    </button>
  );
  return (
    <Card title="Ad units" aside={add}>
      {adUnits.length === 0 && (
        <Empty icon="picture" title="No ad units">
          An ad unit is what visitors see: a headline, a text, a picture. It is shown in zones of its size.
        </Empty>
      )}
      <ul className={styles.units}>
        {adUnits.map((unit) => (
          <Unit
            key={unit.id}
            unit={unit}
            advertiser={advertiser.name}
            currency={budget.currency}
            counts={counts?.get(unit.id) ?? null}
            onAsk={isOpen ? (act) => setAsked({ act, unit }) : null}
          />
        ))}
      </ul>
      {asked?.act === 'edit' && (
        <AdUnitModal
          campaign={{ id, advertiser }}
          currency={budget.currency}
          unit={asked.unit}
          sizes={[...new Set([...sizes, ...COMMON_SIZES])]}
          onClose={close}
        />
      )}
      {asked?.act === 'remove' && (
        <Confirmation
          title={`Remove the ad unit “${nameOf(asked.unit)}”?`}
          consequence="It leaves all zones at once. Its impressions and clicks stay in the statistics."
          no="Cancel"
          yes="Remove the ad unit"
          act={() => removeAdUnit(asked.unit.id)}
          onClose={close}
        />
      )}
    </Card>
  );
}

/** What it is called where there is no room for it. */
const nameOf = ({ headline, size }: AdUnit): string => headline || size;

interface UnitProps {
  readonly unit: AdUnit;
  /** The advertiser's name. */
  readonly advertiser: string;
  readonly currency: string;
  /** Null: not known, or nothing was counted. */
  readonly counts: UnitCounts | null;
  /** Null: it cannot be changed any more. */
  readonly onAsk: ((act: 'edit' | 'remove') => void) | null;
}

/** Spend is counted in thousandths of a minor unit. Rounded down, so that units do not add up to more than their campaign. */
const spentOf = ({ spent }: UnitCounts, currency: string) =>
  formatMoney({ amount: Math.floor(spent / 1000), currency });

function Unit({ unit, advertiser, currency, counts, onAsk }: UnitProps) {
  const { size, landingUrl, product, keywords } = unit;
  const { impressions = 0, clicks = 0 } = counts ?? {};
  return (
    <li className={styles.unit} style={{ '--ad-width': `${readSize(size)?.width ?? 0}px` } as CSSProperties}>
      <AdPreview ad={{ ...unit, advertiser }} />
      <div className={styles.about}>
        <span className={styles.size}>
          <span className="badge">{size}</span> {unit.html && <span className="badge">HTML</span>}
        </span>
        <a href={landingUrl} target="_blank" rel="noreferrer nofollow" className={styles.landing}>
          {landingUrl}
        </a>
        {product && (
          <span className="note">
            {product.title}, {formatMoney(product.price)}. Not shown while it is sold out.
          </span>
        )}
        <span>
          {formatCount(impressions)} <span className="note">seen</span> · {formatCount(clicks)}{' '}
          <span className="note">clicked</span> · {formatShare(impressions === 0 ? 0 : clicks / impressions)}{' '}
          {counts && <span className="note">· {spentOf(counts, currency)}</span>}
        </span>
        {keywords.length > 0 && (
          <span className="badges">
            {keywords.map(({ keyword, bid }) => (
              <span key={keyword} className="badge">
                {keyword} {formatMoney(bid)}
              </span>
            ))}
          </span>
        )}
        {onAsk && (
          <span className={styles.acts}>
            <button
              type="button"
              className="button small"
              aria-label={`Change ${nameOf(unit)}`}
              onClick={() => onAsk('edit')}
            >
              Change
            </button>
            <button
              type="button"
              className="button small quiet"
              aria-label={`Remove ${nameOf(unit)}`}
              onClick={() => onAsk('remove')}
            >
              Remove
            </button>
          </span>
        )}
      </div>
    </li>
  );
}
