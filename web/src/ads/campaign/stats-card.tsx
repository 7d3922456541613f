/** Impressions, clicks and spend of a campaign by hour or day, live; and the export. */
import { type ReactNode, useState } from 'react';
import { countMeasure } from '../../analytics/chart/measure.js';
import { formatCount, formatShare } from '../../kit/base/format.js';
import type { Counts } from '../data/campaign-stats.js';
import type { Campaign } from '../data/campaigns.js';
import { exportCampaign } from '../data/stats-export.js';
import type { SlotStats } from '../data/stats-slots.js';
import { moneyMeasure, type Preset, StatsStage, StatsTop } from '../parts/stats-chart.js';
import { StatsExportRow } from '../parts/stats-export-row.js';

type Shown = 'impressions' | 'clicks' | 'spent';

const impressions = countMeasure('impression', 'impressions');
const clicks = countMeasure('click', 'clicks');

interface StatsCardProps {
  readonly campaign: Campaign;
  readonly stats: SlotStats<Counts>;
  readonly preset: Preset;
  readonly onPreset: (preset: Preset) => void;
  /** Of what the statistics are. */
  readonly choice: ReactNode;
}

export function StatsCard({ campaign, stats, preset, onPreset, choice }: StatsCardProps) {
  const { id, flight, budget } = campaign;
  const [shown, setShown] = useState<Shown>('impressions');
  const { known, refused } = stats;
  const totals = known?.totals ?? null;
  const measure = { impressions, clicks, spent: moneyMeasure(budget.currency, 'spent') }[shown];
  return (
    <section className="card" aria-label="Statistics">
      <header>
        <StatsTop
          facts={[
            ['Impressions', totals && formatCount(totals.impressions)],
            ['Clicks', totals && formatCount(totals.clicks)],
            [
              'Click-through rate',
              totals && formatShare(totals.impressions === 0 ? 0 : totals.clicks / totals.impressions),
            ],
            ['Conversions', totals && formatCount(totals.conversions)],
          ]}
          shown={shown}
          onShown={setShown}
          options={[
            { value: 'impressions', label: 'Impressions' },
            { value: 'clicks', label: 'Clicks' },
            { value: 'spent', label: 'Spend' },
          ]}
          preset={preset}
          onPreset={onPreset}
          choice={choice}
        />
      </header>
      <div className="body">
        <StatsStage series={known?.seriesOf(shown) ?? null} measure={measure} refused={refused} preset={preset} />
        <StatsExportRow start={() => exportCampaign(id, flight)} />
      </div>
    </section>
  );
}
