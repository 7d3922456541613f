/**
 * Compares several ways to do one thing, in this process and on a separate database: figures per round, and their
 * table.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Db, MongoClient } from 'mongodb';
import type { Surroundings, Table } from './benchmark.js';
import { percentile, Rounds } from './measure.js';
import { format } from './report.js';

/** Runs the work with a database of the product's durability, then drops it. */
export async function inOwnDatabase<T>(
  { mongodbUri }: Surroundings,
  work: (client: MongoClient, db: Db) => Promise<T>,
): Promise<T> {
  const client = await MongoClient.connect(mongodbUri, { writeConcern: { w: 'majority' } });
  const db = client.db(`sextant_bench_${randomBytes(4).toString('hex')}`);
  try {
    return await work(client, db);
  } finally {
    await db.dropDatabase();
    await client.close();
  }
}

/** The figures of one way in one round. */
export interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU microseconds of this process per piece of work, including the callers. */
  readonly cpu: number;
  /** Attempts per piece of work: above 1 if attempts were aborted. */
  readonly attempts: number;
}

/**
 * Each caller starts its next piece of work when the previous one is done.
 * @param work @returns how many attempts it took
 */
export async function measureCallers(
  callers: number,
  ms: number,
  work: (caller: number, turn: number) => Promise<number>,
): Promise<Figures> {
  const latencies: number[] = [];
  let attempts = 0;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const call = async (_: unknown, caller: number) => {
    for (let turn = 0; performance.now() < begin + ms; turn += 1) {
      const sent = performance.now();
      const needed = await work(caller, turn);
      attempts += needed; // not in the same expression as the await: others add to it meanwhile
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const { user, system } = process.cpuUsage(cpu);
  return figuresOf({ latencies, seconds: (performance.now() - begin) / 1000, cpuUs: user + system, attempts });
}

export interface Measured {
  /** Milliseconds per piece of work. */
  readonly latencies: readonly number[];
  readonly seconds: number;
  readonly cpuUs: number;
  readonly attempts: number;
}

export function figuresOf({ latencies, seconds, cpuUs, attempts }: Measured): Figures {
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpu: cpuUs / latencies.length,
    attempts: attempts / latencies.length,
  };
}

/** The first cells of a table row: a case and the way measured in it. */
export type Cell = readonly string[];

export class Contest<Figure extends string> {
  readonly #figures: ReadonlyMap<Figure, Rounds>;
  readonly #headings: Readonly<Record<Figure, string>>;

  /** @param headings of the figures to show, in order */
  constructor(headings: Readonly<Record<Figure, string>>) {
    this.#headings = headings;
    this.#figures = new Map((Object.keys(headings) as Figure[]).map((figure) => [figure, new Rounds()]));
  }

  add(cell: Cell, figures: Readonly<Record<Figure, number>>): void {
    for (const [figure, rounds] of this.#figures) rounds.add(cell.join(), figures[figure]);
  }

  /** The median of the per-round ratios. */
  ratio(figure: Figure, cell: Cell, base: Cell): number {
    return this.#figures.get(figure)?.ratio(cell.join(), base.join()) ?? Number.NaN;
  }

  /** @param lines each with its baseline for the last column, `ratio` */
  table(
    cells: readonly string[],
    lines: readonly { readonly cell: Cell; readonly base: Cell }[],
    ratio: { readonly of: Figure; readonly heading: string },
  ): Table {
    const medians = (cell: Cell) => [...this.#figures.values()].map((rounds) => rounds.median(cell.join()));
    return {
      columns: [...cells, ...Object.values<string>(this.#headings), ratio.heading],
      rows: lines.map(({ cell, base }) => [
        ...cell,
        ...[...medians(cell), this.ratio(ratio.of, cell, base)].map(format),
      ]),
    };
  }
}
