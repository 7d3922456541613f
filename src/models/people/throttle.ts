/**
 * Attempts, counted in windows of WINDOW_MS: failed ones to sign in for the account, for the address, and for both together; all to
 * sign up, and to get a new password, for the address and for the e-mail address. They are in the database, so all processes count
 * together. Attempts that run at the same moment may pass a bound by as many as are checked at once (`password.ts` bounds that).
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

const throttles = defineCollection<ThrottleDocument>(
  'auth.throttles',
  [{ key: { until: 1 }, expireAfterSeconds: 0 }], // MongoDB removes windows that are over
  { isBookkeeping: true },
);

const WINDOW_MS = 15 * MINUTE_MS;

/** The account's own bound is the highest: a stranger must not lock its owner out with a handful of attempts. */
const FAILURES_MAX = { pair: 10, address: 50, account: 100 } as const;
/** Each sign-up and each request for a new password may send a mail: few to one mailbox, more from an office behind one address. */
const MAILS_MAX = { email: 5, address: 20 } as const;

export interface Attempt {
  /** Lower case. */
  readonly email: string;
  /** Of the network. */
  readonly address: string;
}

/** How often each thing may be attempted in a window. */
export type Bounds = ReadonlyMap<string, number>;

/** What failed attempts to prove a password count for. */
export function signInBounds({ email, address }: Attempt): Bounds {
  const block = addressBlock(address);
  return new Map([
    [`account:${email}`, FAILURES_MAX.account],
    [`address:${block}`, FAILURES_MAX.address],
    [`pair:${block} ${email}`, FAILURES_MAX.pair],
  ]);
}

/**
 * What attempts count for that may send a mail: to sign up, or to get a new password. They are counted whether the address has an account
 * or not, so they do not tell.
 */
export function mailBounds(what: 'sign-up' | 'reset', { email, address }: Attempt): Bounds {
  return new Map([
    [`${what}:${email}`, MAILS_MAX.email],
    [`${what}-from:${addressBlock(address)}`, MAILS_MAX.address],
  ]);
}

export type Throttled = Refusal<'SignInThrottled', { retryAfterMs: number }>;

/** @returns null when an attempt may be made */
export async function findThrottle(db: Db, bounds: Bounds, now: Date): Promise<Throttled | null> {
  const counted = await throttles(db)
    .find({ _id: { $in: [...bounds.keys()] }, until: { $gt: now } })
    .toArray();
  const waits = counted
    .filter(({ _id, failures }) => failures >= (bounds.get(_id) ?? 0))
    .map(({ until }) => until.getTime() - now.getTime());
  if (waits.length === 0) return null;
  const retryAfterMs = Math.max(...waits);
  return refuse('SignInThrottled', 'There were too many attempts. Wait before the next one', { retryAfterMs });
}

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
