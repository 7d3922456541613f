/** The view of the page: a site, one of its pages, and a live or fixed time span. It is kept in the URL. */
import type { TimeUnit } from '../../../generated/graphql.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { DAY_MS, HOUR_MS, slotEnd, slotStart, unitMs, WEEK_MS } from '../chart/slots.js';

/** A span up to now, which moves with time. */
export interface LiveSpan {
  readonly kind: 'live';
  readonly last: string;
  readonly unit: TimeUnit;
}

/** A fixed span of whole slots; `to` is exclusive. */
export interface FixedSpan {
  readonly kind: 'fixed';
  readonly from: number;
  readonly to: number;
  readonly unit: TimeUnit;
}

export type Span = LiveSpan | FixedSpan;

export interface View {
  readonly site: string | null;
  readonly page: string | null;
  readonly span: Span;
}

export interface Preset {
  readonly last: string;
  readonly label: string;
  readonly name: string;
  readonly ms: number;
  readonly unit: TimeUnit;
}

/** The live spans, each with its best unit. `last` is an ISO 8601 duration for the server. */
export const presets: readonly Preset[] = [
  { last: 'PT1H', label: '1 h', name: 'Last hour', ms: HOUR_MS, unit: 'MINUTE' },
  { last: 'PT6H', label: '6 h', name: 'Last 6 hours', ms: 6 * HOUR_MS, unit: 'MINUTE' },
  { last: 'P1D', label: '24 h', name: 'Last 24 hours', ms: DAY_MS, unit: 'HOUR' },
  { last: 'P7D', label: '7 d', name: 'Last 7 days', ms: WEEK_MS, unit: 'HOUR' },
  { last: 'P30D', label: '30 d', name: 'Last 30 days', ms: 30 * DAY_MS, unit: 'DAY' },
  { last: 'P182D', label: '26 w', name: 'Last 26 weeks', ms: 182 * DAY_MS, unit: 'WEEK' },
  { last: 'P730D', label: '24 mo', name: 'Last 24 months', ms: 730 * DAY_MS, unit: 'MONTH' },
];

const [hourPreset] = presets as [Preset, ...Preset[]];
export const presetOf = (last: string): Preset => presets.find((preset) => preset.last === last) ?? hourPreset;

export const unitNames: Record<TimeUnit, string> = {
  MINUTE: 'minute',
  HOUR: 'hour',
  DAY: 'day',
  WEEK: 'week',
  MONTH: 'month',
};

/** With more slots than this, they are too thin to see. */
const SLOTS_MAX = 5_000;

export const lengthOf = (span: Span) => (span.kind === 'live' ? presetOf(span.last).ms : span.to - span.from);

/** The units in which a span has more than one slot and not too many. */
export function unitsFor(lengthMs: number): TimeUnit[] {
  const units = Object.keys(unitNames) as TimeUnit[];
  return units.filter((unit) => lengthMs / unitMs[unit] <= SLOTS_MAX && lengthMs / unitMs[unit] >= 2);
}

/** The unit that shows a span best: the finest with at most 400 slots. */
export function bestUnit(lengthMs: number): TimeUnit {
  const units = Object.keys(unitNames) as TimeUnit[];
  return units.find((unit) => lengthMs / unitMs[unit] <= 400) ?? 'MONTH';
}

/** A fixed span of whole slots around two moments. */
export function fixedSpan(from: number, to: number, unit: TimeUnit = bestUnit(to - from)): FixedSpan {
  const start = slotStart(from, unit);
  return { kind: 'fixed', from: start, to: slotEnd(slotStart(Math.max(to - 1, start), unit), unit), unit };
}

function readSpan(query: URLSearchParams): Span {
  const from = Date.parse(query.get('from') ?? '');
  const to = Date.parse(query.get('to') ?? '');
  const asked = query.get('unit') as TimeUnit | null;
  if (from < to) {
    const unit = asked && unitsFor(to - from).includes(asked) ? asked : bestUnit(to - from);
    return fixedSpan(from, to, unit);
  }
  const preset = presetOf(query.get('last') ?? '');
  return { kind: 'live', last: preset.last, unit: asked && unitsFor(preset.ms).includes(asked) ? asked : preset.unit };
}

const minuteText = (moment: number) => new Date(moment).toISOString().replace(':00.000Z', 'Z');

function writeView({ site, page, span }: View): string {
  const query = new URLSearchParams();
  if (site) query.set('site', site);
  if (page) query.set('page', page);
  if (span.kind === 'fixed') {
    query.set('from', minuteText(span.from));
    query.set('to', minuteText(span.to));
  } else query.set('last', span.last);
  query.set('unit', span.unit);
  return `/?${query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

/** The view in the URL, and a function that changes parts of it. */
export function useView(): [View, (change: Partial<View>, options?: { replace: boolean }) => void] {
  const { query } = useLocation();
  const view: View = { site: query.get('site'), page: query.get('page'), span: readSpan(query) };
  return [view, (change, options) => navigate(writeView({ ...view, ...change }), options)];
}
