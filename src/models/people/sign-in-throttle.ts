/**
 * Failed attempts to sign in, counted for the account, for the address, and for both together, in windows of WINDOW_MS. They are in
 * the database, so all processes count together. Attempts that run at the same moment may pass a bound by as many as are checked at
 * once (`password.ts` bounds that).
 */
import type { Db } from 'mongodb';
import { defineCollection } from '../../database/index.js';
import { MINUTE_MS } from '../../shared/time.js';

interface ThrottleDocument {
  /** What is counted, for example `address:192.0.2.1`. */
  _id: string;
  failures: number;
  /** The end of the window. */
  until: Date;
}

const throttles = defineCollection<ThrottleDocument>('auth.throttles', [
  { key: { until: 1 }, expireAfterSeconds: 0 }, // MongoDB removes windows that are over
]);

const WINDOW_MS = 15 * MINUTE_MS;

/** The account's own bound is the highest: a stranger must not lock its owner out with a handful of attempts. */
const FAILURES_MAX = { pair: 10, address: 50, account: 100 } as const;

export interface SignInAttempt {
  readonly email: string;
  readonly address: string;
}

/** @returns how long to wait; 0 when an attempt may be made */
export async function findWait(db: Db, attempt: SignInAttempt, now: Date): Promise<number> {
  const bounds = boundsOf(attempt);
  const counted = await throttles(db)
    .find({ _id: { $in: [...bounds.keys()] }, until: { $gt: now } })
    .toArray();
  const waits = counted
    .filter(({ _id, failures }) => failures >= (bounds.get(_id) ?? 0))
    .map(({ until }) => until.getTime() - now.getTime());
  return Math.max(0, ...waits);
}

export async function countFailure(db: Db, attempt: SignInAttempt, now: Date): Promise<void> {
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
    [...boundsOf(attempt).keys()].map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } })),
    { ordered: false },
  );
}

function boundsOf({ email, address }: SignInAttempt): ReadonlyMap<string, number> {
  const block = blockOf(address);
  return new Map([
    [`account:${email}`, FAILURES_MAX.account],
    [`address:${block}`, FAILURES_MAX.address],
    [`pair:${block} ${email}`, FAILURES_MAX.pair],
  ]);
}

/** An IPv6 customer has a /64 at the least: all of its addresses count as one. */
function blockOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return `${[...groups, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
