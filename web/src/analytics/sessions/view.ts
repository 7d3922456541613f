/** The view of the sessions page: user, level, and the period for all users. It is kept in the URL. */
import type { RollUpLevel } from '../../../generated/graphql.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { slotStart } from '../chart/slots.js';

export interface SessionView {
  readonly level: RollUpLevel;
  /** Null: all users. */
  readonly user: string | null;
  /** The start of the period. Null: the latest one with sessions. */
  readonly at: number | null;
}

export const levelNames: Readonly<Record<RollUpLevel, string>> = {
  HOUR: 'Hour',
  DAY: 'Day',
  WEEK: 'Week',
  MONTH: 'Month',
  YEAR: 'Year',
};

export const levels = Object.keys(levelNames) as RollUpLevel[];

function readView(query: URLSearchParams): SessionView {
  const level = levels.find((each) => each === query.get('level')) ?? 'DAY';
  const at = Date.parse(query.get('at') ?? '');
  return { level, user: query.get('user'), at: Number.isNaN(at) ? null : slotStart(at, level) };
}

function writeView({ level, user, at }: SessionView): string {
  const query = new URLSearchParams({ level });
  if (user) query.set('user', user);
  if (at !== null) query.set('at', new Date(at).toISOString().replace(':00.000Z', 'Z'));
  return `/traffic/sessions?${query.toString().replaceAll('%3A', ':')}`;
}

/** The view in the URL, and a function that changes parts of it. */
export function useSessionView(): [SessionView, (change: Partial<SessionView>) => void] {
  const view = readView(useLocation().query);
  return [view, (change) => navigate(writeView({ ...view, ...change }))];
}
