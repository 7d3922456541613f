/** Hits of many concurrent callers: each acknowledged one is counted once, in the day and in the month. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';

const SITE = 'crash.example';
const PAGES = 4;
const CALLERS = 12;
const HITS_EACH = 5;
const AT = '2026-02-03T04:05:06.000Z';

/** By page. */
export interface HitsSeen {
  readonly acknowledged: number[];
  readonly sent: number[];
}

export const hits: Scenario<HitsSeen> = {
  // Later passes: some groups are committed and answered, others wait behind the one that dies.
  failpoints: { 'hits.group.daily-written': 3, 'hits.group.monthly-written': 3, 'hits.group.committed': 3 },
  act: sendHits,
  async judge(product, db, seen) {
    for (const [page, { days, months }] of (await storedHits(db)).entries()) {
      expect(days).toBe(months);
      expect(days).toBeGreaterThanOrEqual(seen.acknowledged[page] ?? 0);
      expect(days).toBeLessThanOrEqual(seen.sent[page] ?? 0);
    }
    // The locks of the dead process are free: counting continues immediately.
    const after = await sendHits(product);
    expect(after.acknowledged).toEqual(after.sent);
  },
};

async function sendHits(product: ProductClient): Promise<HitsSeen> {
  const seen = { acknowledged: Array<number>(PAGES).fill(0), sent: Array<number>(PAGES).fill(0) };
  const query = 'mutation ($hit: HitInput!) { recordHit(hit: $hit) { recorded } }';
  const add = (counts: number[], page: number) => {
    counts[page] = (counts[page] ?? 0) + 1;
  };
  await product.token();
  const caller = async (number: number) => {
    for (let i = 0; i < HITS_EACH; i += 1) {
      const page = (number + i) % PAGES;
      add(seen.sent, page);
      const answer = await answerOrNull(product.request(query, { hit: { site: SITE, page: `/${page}`, at: AT } }));
      if (!answer) return;
      expect(answer).toMatchObject({ data: { recordHit: { recorded: 1 } } });
      add(seen.acknowledged, page);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
  return seen;
}

/** By page: the hits in the day's and in the month's document. */
async function storedHits(db: Db): Promise<{ days: number; months: number }[]> {
  return Promise.all(
    Array.from({ length: PAGES }, async (_, page) => {
      const day = await db.collection<Counted>('hits.daily').findOne({ _id: `20260203/${SITE}//${page}` });
      const month = await db.collection<Counted>('hits.monthly').findOne({ _id: `202602/${SITE}//${page}` });
      return { days: day?.hourly?.['4'] ?? 0, months: month?.daily?.['3'] ?? 0 };
    }),
  );
}

interface Counted {
  _id: string;
  hourly?: Record<string, number>;
  daily?: Record<string, number>;
}
