/**
 * Counts decisions by zone and hour. A decision writes nothing: the counts are kept in memory and stored every few seconds. A process that
 * dies loses those of the last seconds, and nothing depends on them.
 */
import type { Db } from 'mongodb';
import { updateEach, writeConcernOf } from '../../../database/index.js';
import { SECOND_MS } from '../../../shared/time.js';
import { AdTally, adStats, subjectOf } from '../stats/ad-stats.js';

const STORED_EVERY_MS = 5 * SECOND_MS;
/** Zones and days; with more, the counts are stored early. */
const TALLIED_MAX = 1000;

export class DecisionTally {
  #tally = new AdTally();
  #storing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly db: Db,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => void this.store(), STORED_EVERY_MS).unref();
  }

  add(zone: string, at: Date, isFilled: boolean): void {
    this.#tally.add(subjectOf('zone', zone), at, { decisions: 1, filled: isFilled ? 1 : 0 });
    if (this.#tally.size >= TALLIED_MAX) void this.store();
  }

  /** Stores what was counted until now. */
  store(): Promise<void> {
    const statements = this.#tally.statements();
    if (statements.length === 0) return this.#storing;
    this.#tally = new AdTally();
    this.#storing = this.#storing.then(async () => {
      await updateEach(this.db, adStats.collectionName, statements, writeConcernOf.ACKNOWLEDGED).catch(this.onFault);
    });
    return this.#storing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }
}
