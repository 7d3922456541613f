/**
 * Rate limits in windows of WINDOW_MS. Failed sign-ins count per account, per network address, and per pair of both. All sign-ups and
 * password resets count per network address and per email address. The counts are in the database, so all processes share them.
 * Concurrent attempts may exceed a limit by as many as are checked at once, which `password.ts` limits.
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { addressBlock } from '../../shared/address-block.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { MINUTE_MS } from '../../shared/time.js';

interface ThrottleDocument {
  /** What is counted, for example `address:192.0.2.1`. */
  _id: string;
  failures: number;
  /** The end of the window. */
  until: Date;
}

export const throttles = defineCollection<ThrottleDocument>(
  'auth.throttles',
  [{ key: { until: 1 }, expireAfterSeconds: 0 }], // MongoDB removes past windows
  { isBookkeeping: true },
);

const WINDOW_MS = 15 * MINUTE_MS;

/** The limit per account is the highest: a stranger must not lock out the owner with a handful of attempts. */
const FAILURES_MAX = { pair: 10, address: 50, account: 100 } as const;
/** Each sign-up and password reset may send an email: few to one mailbox, more from an office behind one network address. */
const MAILS_MAX = { email: 5, address: 20 } as const;

export interface Attempt {
  /** Lower case. */
  readonly email: string;
  /** The network address. */
  readonly address: string;
}

/** The maximum number of attempts in a window, by key. */
export type Bounds = ReadonlyMap<string, number>;

/** The limits that a failed password check counts toward. */
export function signInBounds({ email, address }: Attempt): Bounds {
  const block = addressBlock(address);
  return new Map([
    [`account:${email}`, FAILURES_MAX.account],
    [`address:${block}`, FAILURES_MAX.address],
    [`pair:${block} ${email}`, FAILURES_MAX.pair],
  ]);
}

/**
 * The limits that attempts count toward if they may send an email: sign-ups and password resets. They are counted whether or not the
 * address has an account, so they do not reveal it.
 */
export function mailBounds(what: 'sign-up' | 'reset', { email, address }: Attempt): Bounds {
  return new Map([
    [`${what}:${email}`, MAILS_MAX.email],
    [`${what}-from:${addressBlock(address)}`, MAILS_MAX.address],
  ]);
}

export type Throttled = Refusal<'SignInThrottled', { retryAfterMs: number }>;

/** @returns null when an attempt is allowed */
export async function findThrottle(db: Db, bounds: Bounds, now: Date): Promise<Throttled | null> {
  const counted = await throttles(db)
    .find({ _id: { $in: [...bounds.keys()] }, until: { $gt: now } })
    .toArray();
  const waits = counted
    .filter(({ _id, failures }) => failures >= (bounds.get(_id) ?? 0))
    .map(({ until }) => until.getTime() - now.getTime());
  if (waits.length === 0) return null;
  const retryAfterMs = Math.max(...waits);
  return refuse('SignInThrottled', 'Too many attempts. Try again later', { retryAfterMs });
}

/** What is counted for an email address alone. The pairs of it and a network address are not found by it. */
export const countsOf = (db: Db, email: string): Promise<ThrottleDocument[]> =>
  throttles(db)
    .find({ _id: { $in: [`account:${email}`, `reset:${email}`, `sign-up:${email}`] } })
    .sort({ _id: 1 })
    .toArray();

export async function countAttempt(db: Db, bounds: Bounds, now: Date): Promise<void> {
  const running = { $gt: ['$until', now] };
  const update = [
    {
      $set: {
        failures: { $cond: [running, { $add: ['$failures', 1] }, 1] },
        until: { $cond: [running, '$until', new Date(now.getTime() + WINDOW_MS)] },
      },
    },
  ];
  await throttles(db).bulkWrite(
    [...bounds.keys()].map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } })),
    { ordered: false },
  );
}
