/**
 * Pre-allocation: tomorrow's zero-filled documents are created today, a few at a time, instead of all at midnight.
 * Source pattern: pre-allocation with a probability per hit (operational intelligence, chapter 4). The source's single probability suits
 * one level of traffic. Here each page's hits of the previous day determine it. For the measured benefit see `docs/hits.md`.
 *
 * It is only an optimization: a missing document is created by its first hit, so failures here are only counted. A page whose write
 * failed is drawn again like any other, so an outage gets a few retries a day and page, not one per hit.
 */
import type { Db, UpdateFilter } from 'mongodb';
import { isDuplicateKey, writeConcernOf } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { DAY_MS } from '../../../shared/time.js';
import {
  type DailyHits,
  type DayTally,
  dailyHits,
  type Hit,
  hitFilter,
  type MonthlyHits,
  monthlyHits,
  monthlyIdOf,
} from './hit.js';
import { slotOf } from './hit-slot.js';

/** For a page without history or with few hits: its document stays small and is created when needed. */
const PROBABILITY_WITHOUT_HISTORY = 1 / 500_000;
/** Hits on the previous day that make a page busy. Below that, 1,440 zeros cost more space than they could save. */
const BUSY_HITS = 100;
/** With a probability of k / hits, a day like the previous one has k successes, and none with probability e^-k: 1.8 % for 4. */
const SUCCESSES_A_DAY = 4;
const PAGES_REMEMBERED_MAX = 10_000;
const PAGE_LENGTH_MAX = 256; // longest page to remember, which limits memory in bytes as well
const BATCH_MAX = 500; // pages whose history is read together

export interface PreAllocation {
  /** Notifies of stored hits. Returns immediately and works in the background. */
  noticed(days: readonly DayTally[]): void;
  /** Finishes current work and accepts no more. */
  close(): Promise<void>;
  readonly health: { readonly remembered: number; readonly preAllocated: number; readonly failed: number };
}

export interface PreAllocationOptions {
  readonly db: Db;
  readonly now: () => Date;
  /** @returns a number from 0 to below 1 */
  readonly random: () => number;
}

export function createPreAllocation(options: PreAllocationOptions): PreAllocation {
  return new HistoryGuided(options);
}

/** The probability that one hit creates tomorrow's documents of its page. @param hitsBefore the page's hits on the previous day */
export function preAllocationProbability(hitsBefore: number): number {
  return hitsBefore >= BUSY_HITS ? SUCCESSES_A_DAY / hitsBefore : PROBABILITY_WITHOUT_HISTORY;
}

/** What is known about a page's hits today. */
interface PageToday {
  readonly hit: Hit;
  /** Null until yesterday's hits have been read. */
  probability: number | null;
  /** Hits not yet included in a draw. */
  untried: number;
  done: boolean;
}

class HistoryGuided implements PreAllocation {
  readonly #options: PreAllocationOptions;
  #today = -1;
  readonly #pages = new Map<string, PageToday>();
  /** Pages with hits that wait for a draw. */
  readonly #pending = new Set<PageToday>();
  readonly #counts = { preAllocated: 0, failed: 0 };
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(options: PreAllocationOptions) {
    this.#options = options;
  }

  get health(): PreAllocation['health'] {
    return { remembered: this.#pages.size, ...this.#counts };
  }

  noticed(days: readonly DayTally[]): void {
    if (this.#closed) return;
    this.#turnDay();
    for (const { first, total } of days) {
      const page = slotOf('DAY', first.at.getTime()) === this.#today ? this.#pageOf(first) : null;
      if (!page || page.done) continue;
      page.untried += total;
      this.#pending.add(page);
    }
    if (this.#pending.size === 0) return;
    // Not inside `#work`: it may end without waiting, before it is marked as running, and would then stay marked forever.
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  /** Discards what is known about yesterday's pages. */
  #turnDay(): void {
    const today = slotOf('DAY', this.#options.now().getTime());
    if (today === this.#today) return;
    this.#today = today;
    this.#pages.clear();
    this.#pending.clear();
  }

  #pageOf(hit: Hit): PageToday | null {
    const key = `${hit.site}/${hit.page}`;
    const known = this.#pages.get(key);
    if (known || this.#pages.size >= PAGES_REMEMBERED_MAX || hit.page.length > PAGE_LENGTH_MAX) return known ?? null;
    const page = { hit, probability: null, untried: 0, done: false };
    this.#pages.set(key, page);
    return page;
  }

  /** Off the hot path: reads yesterday's hits of new pages in batches, then makes a draw for each page. */
  async #work(): Promise<void> {
    try {
      while (this.#pending.size > 0) {
        const pages = [...this.#pending].slice(0, BATCH_MAX);
        for (const page of pages) this.#pending.delete(page);
        const unread = pages.filter(({ probability }) => probability === null);
        if (unread.length > 0) await this.#readHistory(unread);
        for (const page of pages) if (!page.done && this.#succeeds(page)) await this.#preAllocate(page);
      }
    } catch {
      this.#counts.failed += 1; // this page, and those still waiting for a draw, are drawn with their next hit
    }
  }

  async #readHistory(pages: readonly PageToday[]): Promise<void> {
    const yesterday = new Date(this.#today - DAY_MS);
    const field = `daily.${yesterday.getUTCDate()}`;
    const idOf = ({ hit }: PageToday) => monthlyIdOf({ ...hit, at: yesterday });
    const months = await monthlyHits(this.#options.db)
      .find({ _id: { $in: pages.map(idOf) } }, { projection: { [field]: 1 } })
      .toArray();
    const hitsBefore = new Map(months.map(({ _id, daily }) => [_id, daily?.[yesterday.getUTCDate()] ?? 0]));
    for (const page of pages) page.probability = preAllocationProbability(hitsBefore.get(idOf(page)) ?? 0);
  }

  /** One draw for all hits since the last one, with the probability that at least one of them succeeds. */
  #succeeds(page: PageToday): boolean {
    const chance = 1 - (1 - (page.probability ?? 0)) ** page.untried;
    page.untried = 0;
    return this.#options.random() < chance;
  }

  async #preAllocate(page: PageToday): Promise<void> {
    await preAllocate(this.#options.db, { ...page.hit, at: new Date(this.#today + DAY_MS) });
    page.done = true; // hits noticed during the write may have put it among the pending pages again
    this.#counts.preAllocated += 1;
  }
}

/**
 * Creates the zero-filled documents of a page for a day and its month. Safe to repeat, and safe for documents that have hits:
 * it adds 0 to every counter.
 */
export async function preAllocate(db: Db, { site, page, at }: Hit): Promise<void> {
  const [day, month] = [hitFilter('DAY', { site, page, at }), hitFilter('MONTH', { site, page, at })];
  const options = { upsert: true, writeConcern: writeConcernOf.ACKNOWLEDGED };
  await dailyHits(db)
    .updateOne(day, { $inc: zerosOfDay } as UpdateFilter<DailyHits>, options)
    .catch(ignoreDuplicate);
  failpoint('hits.ahead.daily-written');
  await monthlyHits(db)
    .updateOne(month, { $inc: zerosOfMonth } as UpdateFilter<MonthlyHits>, options)
    .catch(ignoreDuplicate);
}

/** Another process has created the document at the same time. Its hits add its counters. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const zerosOfDay = Object.fromEntries(
  numbers(0, 23).flatMap((hour) => [
    [`hourly.${hour}`, 0],
    ...numbers(0, 59).map((minute): [string, number] => [`minute.${hour}.${minute}`, 0]),
  ]),
);
const zerosOfMonth = Object.fromEntries(numbers(1, 31).map((day) => [`daily.${day}`, 0]));
