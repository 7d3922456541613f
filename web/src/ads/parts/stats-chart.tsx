/** Statistics of a period, live: the totals with the choices above, and one of the counts as a chart. */
import type { ReactNode } from 'react';
import { ChartCanvas } from '../../analytics/chart/chart-canvas.js';
import { countSteps, type Measure } from '../../analytics/chart/measure.js';
import { DAY_MS, type Series, sum } from '../../analytics/chart/slots.js';
import { formatMoney, formatRoundMoney } from '../../kit/base/money.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Notice } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import type { StatsSpan } from '../data/stats-slots.js';
import { Facts } from './facts.js';
import styles from './stats.module.css';

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

/** Money is counted in thousandths of a minor unit. */
export const THOUSANDTHS = 1000;
const moneyMeasures = new Map<string, Measure>();

/** The same object at each call: the chart is made anew for another measure. @param verb such as `spent` */
export function moneyMeasure(currency: string, verb: 'spent' | 'earned'): Measure {
  const key = `${verb} ${currency}`;
  const known = moneyMeasures.get(key);
  if (known) return known;
  const round = { spent: Math.ceil, earned: Math.floor }[verb];
  const money = (thousandths: number) => ({ amount: round(thousandths / THOUSANDTHS), currency });
  const made = {
    words: (thousandths: number) => `${formatMoney(money(thousandths))} ${verb}`,
    tick: (thousandths: number) => formatRoundMoney(money(thousandths)),
    steps: countSteps.map((step) => step * THOUSANDTHS),
  };
  moneyMeasures.set(key, made);
  return made;
}

interface StatsTopProps<Shown extends string> {
  readonly facts: Parameters<typeof Facts>[0]['facts'];
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  readonly options: readonly { readonly value: Shown; readonly label: string }[];
  readonly preset: Preset;
  readonly onPreset: (preset: Preset) => void;
  /** Of what the statistics are. Default: there is no choice. */
  readonly choice?: ReactNode;
}

export function StatsTop<Shown extends string>(props: StatsTopProps<Shown>) {
  const { facts, shown, onShown, options, preset, onPreset, choice } = props;
  return (
    <div className={styles.top}>
      <Facts large facts={facts} />
      <div className={styles.choices}>
        {choice}
        <Segmented label="Shown" value={shown} onChange={onShown} options={options} />
        <Segmented
          label="Period"
          value={preset.last}
          onChange={(last) => onPreset(presets.find((each) => each.last === last) ?? day)}
          options={presets.map(({ last, label, name }) => ({ value: last, label, name }))}
        />
      </div>
    </div>
  );
}

interface StatsStageProps {
  /** Null until it is known. */
  readonly series: Series | null;
  readonly measure: Measure;
  readonly refused: string | null;
  readonly preset: Preset;
}

export function StatsStage({ series, measure, refused, preset: { name, unit } }: StatsStageProps) {
  const period = name.toLowerCase();
  const total = series && sum(series.counts);
  return (
    <div className={styles.stage}>
      {refused !== null && <Notice tone="bad">{refused}</Notice>}
      {!series && refused === null && <Skeleton height="100%" />}
      {series && total !== null && (
        <ChartCanvas
          series={series}
          measure={measure}
          live
          summary={`${measure.words(total)} in the ${period}, by ${unit.toLowerCase()}`}
        />
      )}
      {total === 0 && <p className={styles.nothing}>Nothing in the {period}</p>}
    </div>
  );
}
