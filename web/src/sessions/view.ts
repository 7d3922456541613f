/** Whose sessions are looked at, by which level, and for all users in which period. It stands in the address. */
import type { RollUpLevel } from '../../generated/graphql.js';
import { navigate, useLocation } from '../location.js';
import { slotStart } from '../traffic/slots.js';

export interface SessionView {
  readonly level: RollUpLevel;
  /** Null: all users. */
  readonly user: string | null;
  /** When the period begins. Null: the latest one that has sessions. */
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

/** The view of the address, and how to change a part of it. */
export function useSessionView(): [SessionView, (change: Partial<SessionView>) => void] {
  const view = readView(useLocation().query);
  return [view, (change) => navigate(writeView({ ...view, ...change }))];
}
