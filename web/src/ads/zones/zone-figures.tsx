/** What a zone has shown and earned by hour or day, live; and the export. */
import { useState } from 'react';
import { countMeasure } from '../../analytics/chart/measure.js';
import { formatCount, formatShare } from '../../kit/base/format.js';
import { formatMoney } from '../../kit/base/money.js';
import { useCurrency } from '../data/currency.js';
import { exportZone } from '../data/stats-export.js';
import { useZoneStats } from '../data/zone-stats.js';
import type { ZoneName } from '../data/zones.js';
import { day, moneyMeasure, StatsStage, StatsTop, THOUSANDTHS } from '../parts/stats-chart.js';
import { StatsExportRow } from '../parts/stats-export-row.js';

type Shown = 'decisions' | 'impressions' | 'clicks' | 'earned';

const decisions = countMeasure('decision', 'decisions');
const impressions = countMeasure('impression', 'impressions');
const clicks = countMeasure('click', 'clicks');

export function ZoneFigures({ name }: { readonly name: ZoneName }) {
  const [preset, setPreset] = useState(day);
  const [shown, setShown] = useState<Shown>('impressions');
  const { known, refused } = useZoneStats(name, preset);
  const currency = useCurrency();
  const totals = known?.totals ?? null;
  const measure = { decisions, impressions, clicks, earned: moneyMeasure(currency, 'earned') }[shown];
  const earned = totals && currency !== '' ? Math.floor(totals.earned / THOUSANDTHS) : null;
  return (
    <>
      <StatsTop
        facts={[
          ['Decisions', totals && formatCount(totals.decisions)],
          ['Filled', totals && (totals.decisions === 0 ? '—' : formatShare(totals.filled / totals.decisions))],
          ['Impressions', totals && formatCount(totals.impressions)],
          ['Clicks', totals && formatCount(totals.clicks)],
          ['Earned', earned === null ? null : formatMoney({ amount: earned, currency })],
        ]}
        shown={shown}
        onShown={setShown}
        options={[
          { value: 'decisions', label: 'Decisions' },
          { value: 'impressions', label: 'Impressions' },
          { value: 'clicks', label: 'Clicks' },
          ...(currency === '' ? [] : [{ value: 'earned' as const, label: 'Earned' }]),
        ]}
        preset={preset}
        onPreset={setPreset}
      />
      <StatsStage series={known?.seriesOf(shown) ?? null} measure={measure} refused={refused} preset={preset} />
      <StatsExportRow start={() => exportZone(name)} />
    </>
  );
}
