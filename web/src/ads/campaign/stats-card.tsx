/** Impressions, clicks and spend of a campaign by hour or day, live; and the export. */
import { useState } from 'react';
import { ChartCanvas } from '../../analytics/chart/chart-canvas.js';
import { countMeasure, countSteps, type Measure } from '../../analytics/chart/measure.js';
import { DAY_MS, sum } from '../../analytics/chart/slots.js';
import { formatCount, formatShare } from '../../kit/base/format.js';
import { formatMoney, formatRoundMoney } from '../../kit/base/money.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Notice } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import type { CampaignStats, StatsSpan } from '../data/campaign-stats.js';
import type { Campaign } from '../data/campaigns.js';
import { Facts } from '../parts/facts.js';
import styles from './campaign.module.css';
import { StatsExportRow } from './stats-export-row.js';

export interface Preset extends StatsSpan {
  readonly label: string;
  readonly name: string;
}

export const day: Preset = { last: 'P1D', ms: DAY_MS, unit: 'HOUR', label: '24 h', name: 'Last 24 hours' };
const presets: readonly Preset[] = [
  day,
  { last: 'P7D', ms: 7 * DAY_MS, unit: 'HOUR', label: '7 d', name: 'Last 7 days' },
  { last: 'P30D', ms: 30 * DAY_MS, unit: 'DAY', label: '30 d', name: 'Last 30 days' },
  { last: 'P365D', ms: 365 * DAY_MS, unit: 'DAY', label: '1 y', name: 'Last 365 days' },
];

/** Spend is counted in thousandths of a minor unit. */
const THOUSANDTHS = 1000;
const moneyMeasures = new Map<string, Measure>();

/** The same object at each call: the chart is made anew for another measure. */
function moneyMeasure(currency: string): Measure {
  const known = moneyMeasures.get(currency);
  if (known) return known;
  const money = (spent: number) => ({ amount: Math.ceil(spent / THOUSANDTHS), currency });
  const made = {
    words: (spent: number) => `${formatMoney(money(spent))} spent`,
    tick: (spent: number) => formatRoundMoney(money(spent)),
    steps: countSteps.map((step) => step * THOUSANDTHS),
  };
  moneyMeasures.set(currency, made);
  return made;
}

type Shown = 'impressions' | 'clicks' | 'spent';

const impressions = countMeasure('impression', 'impressions');
const clicks = countMeasure('click', 'clicks');

interface StatsCardProps {
  readonly campaign: Campaign;
  readonly stats: CampaignStats;
  readonly preset: Preset;
  readonly onPreset: (preset: Preset) => void;
}

export function StatsCard({ campaign: { id, flight, budget }, stats, preset, onPreset }: StatsCardProps) {
  const [shown, setShown] = useState<Shown>('impressions');
  const { known, refused } = stats;
  const totals = known?.totals ?? null;
  const measure = { impressions, clicks, spent: moneyMeasure(budget.currency) }[shown];
  const series = known?.seriesOf(shown) ?? null;
  const isEmpty = series !== null && sum(series.counts) === 0;
  return (
    <section className="card" aria-label="Statistics">
      <header className={styles.top}>
        <Facts
          large
          facts={[
            ['Impressions', totals && formatCount(totals.impressions)],
            ['Clicks', totals && formatCount(totals.clicks)],
            [
              'Click-through rate',
              totals && formatShare(totals.impressions === 0 ? 0 : totals.clicks / totals.impressions),
            ],
            ['Conversions', totals && formatCount(totals.conversions)],
          ]}
        />
        <div className={styles.choices}>
          <Segmented
            label="Shown"
            value={shown}
            onChange={setShown}
            options={[
              { value: 'impressions', label: 'Impressions' },
              { value: 'clicks', label: 'Clicks' },
              { value: 'spent', label: 'Spend' },
            ]}
          />
          <Segmented
            label="Period"
            value={preset.last}
            onChange={(last) => onPreset(presets.find((each) => each.last === last) ?? day)}
            options={presets.map(({ last, label, name }) => ({ value: last, label, name }))}
          />
        </div>
      </header>
      <div className="body">
        <div className={styles.stage}>
          {refused !== null && <Notice tone="bad">{refused}</Notice>}
          {!series && refused === null && <Skeleton height="100%" />}
          {series && (
            <ChartCanvas
              series={series}
              measure={measure}
              live
              summary={`${measure.words(sum(series.counts))} in the ${preset.name.toLowerCase()}, by ${preset.unit.toLowerCase()}`}
            />
          )}
          {isEmpty && <p className={styles.nothing}>Nothing in the {preset.name.toLowerCase()}</p>}
        </div>
        <StatsExportRow id={id} flight={flight} />
      </div>
    </section>
  );
}
