/** Hits at a steady rate, one per call, spread over the given pages. */
import type { Db, MongoClient } from 'mongodb';
import { createHitRecorder, type Hit } from '../../src/models/analytics/hits/hit-recorder.js';

export interface SteadyHits {
  /** Stops them. @returns how many were stored and refused, and the milliseconds that each call waited */
  stop(): Promise<StoredHits>;
}

export interface StoredHits {
  readonly recorded: number;
  readonly refused: number;
  readonly waited: readonly number[];
}

export interface SteadyHitsOptions {
  readonly site: string;
  readonly pages: readonly string[];
  readonly perSecond: number;
}

const TURN_MS = 5;
const WAITING_MAX = 100_000;

export function startSteadyHits(
  client: MongoClient,
  db: Db,
  { site, pages, perSecond }: SteadyHitsOptions,
): SteadyHits {
  const recorder = createHitRecorder({ client, db, waitingMax: WAITING_MAX });
  const begun = performance.now();
  const waited: number[] = [];
  const calls: Promise<void>[] = [];
  let [sent, recorded, refused] = [0, 0, 0];
  const record = async (hit: Hit) => {
    const at = performance.now();
    await recorder.record([hit], 'MAJORITY').then(
      (stored) => {
        recorded += stored.recorded;
        refused += stored.failed.length;
      },
      () => {
        refused += 1;
      },
    );
    waited.push(performance.now() - at);
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      const page = pages[sent % pages.length] as string;
      calls.push(record({ site, page, at: new Date() }));
    }
  }, TURN_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      await recorder.close();
      return { recorded, refused, waited };
    },
  };
}
