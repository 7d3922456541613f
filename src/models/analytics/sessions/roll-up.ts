/**
 * Roll-ups: the number and total length of each user's sessions, for each hour, day, week, month and year that has any.
 * Source pattern: hierarchical aggregation. Hours are summed from sessions, days from hours, weeks and months from days, and years from
 * months. The source adds new values to each parent, and so counts a child twice if it changes later. Here every affected parent is
 * summed again from all its children and replaced (`roll-up-run.ts`).
 * Invariant of a period without pending sessions below it: it is the sum of its children, and of its sessions (`roll-up-invariants.ts`).
 */
import { Timestamp } from 'mongodb';
import { type CollectionDeclaration, defineCollection } from '../../../database/index.js';
import type { RollUpLevel } from './roll-up-level.js';
import { sessions } from './session.js';

export interface RollUpValue {
  /**
   * The cluster time at which the children were read: the sum includes everything committed by then. It only increases. It is the first
   * field because documents compare by their fields in order, so `$max` keeps the value that was computed later.
   */
  computed_at: Timestamp;
  /** Seconds. */
  total: number;
  /** Sessions. */
  count: number;
  /** Seconds. */
  mean: number;
  /** When it was written. */
  ts: Date;
}

/** The time of an hour's final sum: its sessions are removed (`session-removal.ts`), and no computation is later. */
export const SEALED = new Timestamp({ t: 0xffff_ffff, i: 0xffff_ffff });

export interface RollUpDocument {
  /** The user and the start of the period. */
  _id: { u: string; d: Date };
  value: RollUpValue;
}

const indexes = [
  { key: { '_id.u': 1, '_id.d': 1 } }, // a user's periods: session-stats.ts, and the children of periods, roll-up-sum.ts
  { key: { '_id.d': 1, '_id.u': 1 } }, // all users' periods in a range: session-stats.ts
] as const;

const defineRollUps = (name: string) => defineCollection<RollUpDocument>(`rollup.${name}`, indexes);

export const rollUps: Readonly<Record<RollUpLevel, CollectionDeclaration<RollUpDocument>>> = {
  HOUR: defineRollUps('hourly'),
  DAY: defineRollUps('daily'),
  WEEK: defineRollUps('weekly'),
  MONTH: defineRollUps('monthly'),
  YEAR: defineRollUps('yearly'),
};

/** The source that periods of a level are summed from. */
export interface Children {
  readonly collectionName: string;
  /** Field names. They are covered by the index on user and time. */
  readonly user: string;
  readonly moment: string;
  /** Expressions for what each child adds. */
  readonly total: string;
  readonly count: string | 1;
}

const ofSessions: Children = {
  collectionName: sessions.collectionName,
  user: 'userid',
  moment: 'ts',
  total: '$length',
  count: 1,
};

const ofLevel = (level: RollUpLevel): Children => ({
  collectionName: rollUps[level].collectionName,
  user: '_id.u',
  moment: '_id.d',
  total: '$value.total',
  count: '$value.count',
});

export const childrenOf: Readonly<Record<RollUpLevel, Children>> = {
  HOUR: ofSessions,
  DAY: ofLevel('HOUR'),
  WEEK: ofLevel('DAY'),
  MONTH: ofLevel('DAY'),
  YEAR: ofLevel('MONTH'),
};
