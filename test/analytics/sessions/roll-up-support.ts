/** Sessions for tests, their expected roll-ups, and workers that halt before each of their writes. */
import type { Collection, Db, Document } from 'mongodb';
import { rollUps } from '../../../src/models/analytics/sessions/roll-up.js';
import { type RollUpLevel, rollUpLevels } from '../../../src/models/analytics/sessions/roll-up-level.js';
import { rollUpSessions } from '../../../src/models/analytics/sessions/roll-up-run.js';
import { sessions } from '../../../src/models/analytics/sessions/session.js';
import { sessionHorizons } from '../../../src/models/analytics/sessions/session-horizon.js';

/** Total, count and mean by level, user and start: `DAY ann 2026-01-05T00:00:00.000Z`. */
export type Figures = Record<string, readonly [total: number, count: number, mean: number]>;

/** The result of one clean aggregation over all sessions, computed here and not by the code under test. */
export async function fromScratch(db: Db): Promise<Figures> {
  const sums = new Map<string, { total: number; count: number }>();
  for (const { userid, ts, length } of await sessions(db).find().toArray()) {
    for (const level of rollUpLevels) {
      const key = `${level} ${userid} ${beginOf(level, ts).toISOString()}`;
      const sum = sums.get(key) ?? { total: 0, count: 0 };
      sums.set(key, { total: sum.total + length, count: sum.count + 1 });
    }
  }
  return Object.fromEntries(
    [...sums].sort(byKey).map(([key, { total, count }]) => [key, [total, count, total / count]]),
  );
}

function beginOf(level: RollUpLevel, ts: Date): Date {
  const [year, month, date, hour] = [ts.getUTCFullYear(), ts.getUTCMonth(), ts.getUTCDate(), ts.getUTCHours()];
  const sinceMonday = (ts.getUTCDay() + 6) % 7;
  return {
    HOUR: new Date(Date.UTC(year, month, date, hour)),
    DAY: new Date(Date.UTC(year, month, date)),
    WEEK: new Date(Date.UTC(year, month, date - sinceMonday)),
    MONTH: new Date(Date.UTC(year, month, 1)),
    YEAR: new Date(Date.UTC(year, 0, 1)),
  }[level];
}

export async function stored(db: Db): Promise<Figures> {
  const figures: [string, readonly [number, number, number]][] = [];
  for (const level of rollUpLevels) {
    for (const { _id, value } of await rollUps[level](db).find().toArray())
      figures.push([`${level} ${_id.u} ${_id.d.toISOString()}`, [value.total, value.count, value.mean]]);
  }
  return Object.fromEntries(figures.sort(byKey));
}

const byKey = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]) => (left < right ? -1 : 1);

export async function emptyRollUps(db: Db): Promise<void> {
  for (const collection of [sessions, sessionHorizons, ...Object.values(rollUps)])
    await db.collection(collection.collectionName).deleteMany({});
}

/** Thrown by each write of a killed run. */
class Died extends Error {}

/** A run in its own process, which halts before each write while its reads become stale. */
export class HaltedRun {
  /** Updates that did not match their guard because of a newer value. */
  refused = 0;
  private readonly ended: Promise<void>;
  private hasEnded = false;
  private isDead = false;
  /** The writes before which it has halted: a run may have several in progress. */
  private readonly halted: ((alive: boolean) => void)[] = [];
  private onHalt: () => void = () => undefined;

  constructor(db: Db, size: { readonly batchMax: number; readonly rebuildMin: number }) {
    const options = { before: new Date(), now: new Date(), ...size };
    this.ended = rollUpSessions(this.slow(db), options).then(
      () => this.end(),
      (error: unknown) => {
        this.end();
        if (!(error instanceof Died)) throw error;
      },
    );
  }

  /** Executes its next writes and the reads up to the following one. @returns false when it has ended */
  async advance(writes: number): Promise<boolean> {
    await this.reading();
    for (let left = writes; left > 0 && !this.hasEnded; left -= 1) {
      this.halted.shift()?.(true);
      await this.reading();
    }
    return !this.hasEnded;
  }

  /** Waits until it has read and halts before a write. */
  async reading(): Promise<void> {
    if (this.halted.length > 0) return;
    const halt = new Promise<void>((resolve) => {
      this.onHalt = resolve;
    });
    await Promise.race([halt, this.ended]);
  }

  /** Waits until it has read, and kills it before it writes. */
  async kill(): Promise<void> {
    await this.reading();
    this.isDead = true;
    for (const proceed of this.halted.splice(0)) proceed(false);
    await this.ended;
  }

  async finish(): Promise<void> {
    while (await this.advance(1));
    await this.ended;
  }

  private end(): void {
    this.hasEnded = true;
  }

  private async gate(): Promise<void> {
    const alive =
      !this.isDead &&
      (await new Promise<boolean>((proceed) => {
        this.halted.push(proceed);
        this.onHalt();
      }));
    if (!alive) throw new Died('The process is dead');
  }

  private slow(db: Db): Db {
    return new Proxy(db, {
      get: (target, property) => {
        if (property === 'command') {
          return async (command: Document, options: object) => {
            await this.gate();
            const reply = await target.command(command, options);
            this.refused += reply.n - reply.nModified - (reply.upserted?.length ?? 0);
            return reply;
          };
        }
        if (property === 'collection') return (name: string) => this.slowCollection(target.collection(name));
        return Reflect.get(target, property, target);
      },
    });
  }

  private slowCollection(collection: Collection): Collection {
    return new Proxy(collection, {
      get: (target, property) => {
        const method: unknown = Reflect.get(target, property, target);
        if (typeof method !== 'function') return method;
        if (property === 'aggregate') {
          return (pipeline: Document[], options: object) => {
            const cursor = target.aggregate(pipeline, options);
            if (!pipeline.some((stage) => '$merge' in stage)) return cursor;
            return { toArray: () => this.gate().then(() => cursor.toArray()) };
          };
        }
        if (property !== 'updateMany') return method.bind(target);
        return async (...args: unknown[]) => {
          await this.gate();
          return Reflect.apply(method, target, args);
        };
      },
    });
  }
}
