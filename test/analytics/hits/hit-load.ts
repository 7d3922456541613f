/** Callers that record hits continuously, and a ledger of acknowledgments: what the database must hold after any crash. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Answer, Product } from '../../../harness/product.js';
import type { Random } from '../../../harness/random.js';
import { answerOrNull } from '../../crash/scenario.js';

export const SITE = 'load.example';
export const PAGES = ['/a', '/b', '/c/d', '/e?f=g', '/$h.i'] as const;
const AT = '2026-02-03T04:05:06.000Z';
const HITS_MAX = 40; // per call
const TRANSIENT: readonly unknown[] = ['SERVER_BUSY', 'DATABASE_UNAVAILABLE'];

const RECORD = `mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded rejected { index code } } }`;
type Recorded = { recordHits: { recorded: number; rejected: { index: number; code: string }[] } };

export class HitLedger {
  /** By page: hits that were acknowledged, and hits that were sent. */
  readonly #acknowledged = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  #calls = 0;

  /** Calls that were acknowledged. */
  get calls(): number {
    return this.#calls;
  }

  sent(pages: readonly string[]): void {
    for (const page of pages) this.#sent.set(page, (this.#sent.get(page) ?? 0) + 1);
  }

  acknowledged(pages: readonly string[]): void {
    this.#calls += 1;
    for (const page of pages) this.#acknowledged.set(page, (this.#acknowledged.get(page) ?? 0) + 1);
  }

  /**
   * Every acknowledged hit is stored, no hit that was not sent is stored, and days and months agree.
   * @param imported hits of the same pages that came from logs
   */
  async check(db: Db, imported: ReadonlyMap<string, number> = new Map()): Promise<void> {
    const days = await this.#stored(db, 'hits.daily', 'hourly');
    expect(days).toEqual(await this.#stored(db, 'hits.monthly', 'daily'));
    for (const page of PAGES) {
      const recorded = (days.get(page) ?? 0) - (imported.get(page) ?? 0);
      expect(recorded, page).toBeGreaterThanOrEqual(this.#acknowledged.get(page) ?? 0);
      expect(recorded, page).toBeLessThanOrEqual(this.#sent.get(page) ?? 0);
    }
  }

  async #stored(db: Db, collection: string, field: string): Promise<Map<string, number>> {
    const rows = await db
      .collection(collection)
      .aggregate<{ page: string; count: number }>([
        { $match: { 'metadata.site': SITE } },
        { $project: { page: '$metadata.page', counters: { $objectToArray: `$${field}` } } },
        { $group: { _id: '$page', count: { $sum: { $sum: '$counters.v' } } } },
        { $project: { page: '$_id', count: 1 } },
      ])
      .toArray();
    return new Map(PAGES.map((page) => [page, rows.find((row) => row.page === page)?.count ?? 0]));
  }
}

export interface HitLoad {
  /** Waits until this many calls of this load are acknowledged. */
  acknowledged(calls: number): Promise<void>;
  /** No new calls. Resolves when the running ones have ended, one way or the other. */
  stop(): Promise<void>;
}

/** Calls continue when the server is busy or has no database, and end when the connection breaks, unless `survives`. Other errors fail. */
export function startHitLoad(
  product: Product,
  ledger: HitLedger,
  random: Random,
  { callers, survives = false }: { callers: number; survives?: boolean },
): HitLoad {
  let stopped = false;
  const waiters: { calls: number; resolve: () => void }[] = [];
  const before = ledger.calls;
  const notify = () => {
    for (const { calls, resolve } of waiters) if (ledger.calls - before >= calls) resolve();
  };
  const caller = async () => {
    while (!stopped) {
      const pages = Array.from({ length: 1 + random.below(HITS_MAX) }, () => random.pick(PAGES));
      ledger.sent(pages);
      const hits = pages.map((page) => ({ site: SITE, page, at: AT }));
      const answer = await answerOrNull(product.request<Recorded>(RECORD, { hits }));
      if (answer === null && !survives) return;
      if (answer && isAcknowledged(answer, hits.length)) ledger.acknowledged(pages);
      notify();
    }
  };
  const all = Promise.all(Array.from({ length: callers }, caller));
  return {
    acknowledged: (calls) =>
      new Promise((resolve) => {
        waiters.push({ calls, resolve });
        notify();
      }),
    async stop() {
      stopped = true;
      await all;
    },
  };
}

/** A call is acknowledged as a whole; hits that it could not store are named, and then their fate is unknown. */
function isAcknowledged({ data, errors }: Answer<Recorded>, sent: number): boolean {
  if (!data) {
    expect(TRANSIENT).toContain(errors?.[0]?.extensions?.code);
    return false;
  }
  for (const { code } of data.recordHits.rejected) expect(TRANSIENT).toContain(code);
  return data.recordHits.recorded === sent;
}
