/** A busy page whose documents for tomorrow are being created: today's hits are still counted, and tomorrow's are all 0. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';

const SITE = 'busy.example';
const DAY_MS = 86_400_000;
const HITS_YESTERDAY = 400; // then one hit in 100 creates tomorrow's documents
const CALLS_MAX = 200;
const HITS_A_CALL = 20; // 4,000 hits without a success happen once in 10^17 runs

const RECORD = 'mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }';

export const preAllocation: Scenario<{ acknowledged: number; sent: number }> = {
  failpoints: { 'hits.ahead.daily-written': 1 },
  async act(product) {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString();
    const earlier = Array.from({ length: HITS_YESTERDAY }, () => ({ site: SITE, page: '/', at: yesterday }));
    expect(await product.request(RECORD, { hits: earlier })).toMatchObject({
      data: { recordHits: { recorded: HITS_YESTERDAY } },
    });
    const hits = Array.from({ length: HITS_A_CALL }, () => ({ site: SITE, page: '/' }));
    let [sent, acknowledged] = [0, 0];
    for (let call = 0; call < CALLS_MAX; call += 1) {
      sent += HITS_A_CALL;
      if (!(await answerOrNull(product.request(RECORD, { hits })))) break;
      acknowledged += HITS_A_CALL;
    }
    return { acknowledged, sent };
  },
  async judge(product, db, { acknowledged, sent }) {
    const total = await todaysHits(db);
    expect(total).toBeGreaterThanOrEqual(acknowledged);
    expect(total).toBeLessThanOrEqual(sent);
    expect(await product.request(RECORD, { hits: [{ site: SITE, page: '/' }] })).toMatchObject({
      data: { recordHits: { recorded: 1 } },
    });
    expect(await todaysHits(db)).toBe(total + 1);
  },
};

/** All hits except yesterday's. */
async function todaysHits(db: Db): Promise<number> {
  const days = await db
    .collection<{ _id: string; hourly: Record<string, number> }>('hits.daily')
    .find({ 'metadata.site': SITE })
    .toArray();
  const hits = days.flatMap(({ hourly }) => Object.values(hourly)).reduce((sum, count) => sum + count, 0);
  return hits - HITS_YESTERDAY;
}
