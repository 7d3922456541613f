/** Ways to do one thing, compared in this process on a database of their own: what each reaches in each round, and the table of it. */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Db, MongoClient } from 'mongodb';
import type { Surroundings, Table } from './benchmark.js';
import { percentile, Rounds } from './measure.js';
import { format } from './report.js';

/** Gives the work a database with the durability of the product, and drops it. */
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

/** What one way reached in one round. */
export interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of this process for each piece of work, callers included. */
  readonly cpu: number;
  /** For each piece of work: above 1 where attempts were thrown away. */
  readonly attempts: number;
}

/**
 * Each caller begins its next piece of work when the one before is done.
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
      attempts += needed; // not in one with the wait: others add to it meanwhile
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const { user, system } = process.cpuUsage(cpu);
  return figuresOf({ latencies, seconds: (performance.now() - begin) / 1000, cpuUs: user + system, attempts });
}

export interface Measured {
  /** Milliseconds, of each piece of work. */
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

/** The first cells of a line of the table: a case, and the way that is measured in it. */
export type Cell = readonly string[];

export class Contest<Figure extends string> {
  readonly #figures: ReadonlyMap<Figure, Rounds>;
  readonly #headings: Readonly<Record<Figure, string>>;

  /** @param headings of the figures that are shown, in their order */
  constructor(headings: Readonly<Record<Figure, string>>) {
    this.#headings = headings;
    this.#figures = new Map((Object.keys(headings) as Figure[]).map((figure) => [figure, new Rounds()]));
  }

  add(cell: Cell, figures: Readonly<Record<Figure, number>>): void {
    for (const [figure, rounds] of this.#figures) rounds.add(cell.join(), figures[figure]);
  }

  /** The median of the rounds' ratios. */
  ratio(figure: Figure, cell: Cell, base: Cell): number {
    return this.#figures.get(figure)?.ratio(cell.join(), base.join()) ?? Number.NaN;
  }

  /** @param lines each with what it is compared with in the last column, `ratio` */
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
