/**
 * The live list of a site's pages with the most hits. One topic per site; the state holds the window's slots of the busiest pages, so
 * that an event costs a look at one page and never a read.
 *
 * Bound: PAGES_KEPT pages are read, and at most PAGES_MAX held. A page outside of them counts from its next hit on, so a count may
 * lack what such a page had before: less than the page at rank PAGES_KEPT had. The list itself is at most 100 long.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { type ChangeEvent, defineFeed, type StateFeed } from '../../database/index.js';
import { InputError } from '../../shared/errors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.js';
import { type DailyHits, dailyHits, type MonthlyHits, monthlyHits } from './hit.js';
import { addSlots, changedSlots, type SlotCounts, type StoredUnit, sitePageOf, storedUnits } from './hit-change.js';
import { READ_MS_MAX } from './hit-read.js';
import { nextSlot, slotOf } from './hit-slot.js';
import { type PageHits, rankPages } from './top-pages.js';

export interface TopPagesArgs {
  readonly site: string;
  /** How far the list reaches back: in minutes up to 3 hours, in hours up to 7 days, in days beyond. */
  readonly lastMs: number;
  readonly first: number;
}

interface TopPagesState {
  readonly pages: Map<string, PageState>;
  /** The window: slots that begin from `from` to `to`, both included. */
  from: number;
  to: number;
  /** The ranking, replaced and never altered. */
  list: readonly PageHits[];
}

interface PageState {
  /** Also of the future, for hits that came with a moment ahead of the clock. */
  readonly slots: SlotCounts;
  /** The sum over the window. */
  count: number;
}

const FIRST_MAX = 100;
const LAST_MS_MAX = 31 * DAY_MS;
const AHEAD_MS = 2 * DAY_MS; // as in the live chart
const PAGES_KEPT = 1000;
const PAGES_MAX = 2 * PAGES_KEPT; // so that the ranking that picks whom to keep is made once for each PAGES_KEPT new pages
/** The one part of this state: the list is always sent whole. */
const LIST = 'list';

/** @throws InputError `last` or `first` is out of bounds */
export function requireTopPagesArgs(args: TopPagesArgs): TopPagesArgs {
  if (args.first < 1 || args.first > FIRST_MAX) throw new InputError('first', `must be from 1 to ${FIRST_MAX}`);
  if (args.lastMs < MINUTE_MS || args.lastMs > LAST_MS_MAX) throw new InputError('last', 'must be from PT1M to P31D');
  return args;
}

export const topPagesFeed: StateFeed<TopPagesArgs, TopPagesState, readonly PageHits[], readonly PageHits[]> =
  defineFeed({
    kind: 'state',
    name: 'top-pages',
    collections: [dailyHits, monthlyHits],

    key: ({ site, lastMs, first }) => JSON.stringify([lastMs, first, site]),
    topic: ({ site, lastMs }) => `${collectionOf(unitOf(lastMs))}:${site}`,
    topics: (event) => [`${event.collection}:${splitSitePage(event).site}`],

    snapshot: async (db, args, session, now) => {
      const unit = unitOf(args.lastMs);
      const { from, to } = windowOf(args, now);
      const state: TopPagesState = {
        pages: await readPages(db, args.site, unit, from, now, session),
        from,
        to,
        list: [],
      };
      rankAll(state, args.first);
      return state;
    },

    touched: () => [LIST],
    apply: (state, event, args, now) => {
      const before = state.list;
      slide(state, args, now);
      applyEvent(state, event, args);
      return changedParts(before, state.list);
    },
    view: (state) => state.list,
    change: (state) => state.list,

    tickMs: MINUTE_MS,
    tick: (state, args, now) => {
      const before = state.list;
      slide(state, args, now);
      return changedParts(before, state.list);
    },
    tickKeys: [LIST],
  });

function unitOf(lastMs: number): StoredUnit {
  if (lastMs <= 3 * HOUR_MS) return 'MINUTE';
  return lastMs <= 7 * DAY_MS ? 'HOUR' : 'DAY';
}

function collectionOf(unit: StoredUnit): string {
  return (unit === 'DAY' ? monthlyHits : dailyHits).collectionName;
}

/** A host name holds no slash, so the first one ends it. */
function splitSitePage(event: ChangeEvent): { site: string; page: string } {
  const sitePage = sitePageOf(event);
  const slash = sitePage.indexOf('/');
  return { site: sitePage.slice(0, slash), page: sitePage.slice(slash + 1) };
}

function windowOf({ lastMs }: TopPagesArgs, now: Date): { from: number; to: number } {
  const unit = unitOf(lastMs);
  return { from: slotOf(unit, now.getTime() - lastMs), to: slotOf(unit, now.getTime()) };
}

/** The slots of the busiest pages: the server ranks, so that no more than PAGES_KEPT pages travel. */
async function readPages(
  db: Db,
  site: string,
  unit: StoredUnit,
  from: number,
  now: Date,
  session: ClientSession,
): Promise<Map<string, PageState>> {
  const end = nextSlot(unit, slotOf(unit, now.getTime() + AHEAD_MS));
  const ranked = await rankPages(db, site, from, end, PAGES_KEPT, session);
  const pages = new Map(ranked.map(({ page }) => [page, { slots: new Map(), count: 0 } as PageState]));
  const { field } = storedUnits[unit];
  const filter = {
    'metadata.site': site,
    'metadata.page': { $in: [...pages.keys()] },
    'metadata.date': { $gte: new Date(slotOf(unit === 'DAY' ? 'MONTH' : 'DAY', from)), $lt: new Date(end) },
  };
  const options = { projection: { _id: 0, metadata: 1, [field]: 1 }, session, maxTimeMS: READ_MS_MAX };
  const documents =
    unit === 'DAY'
      ? monthlyHits(db).find<MonthlyHits>(filter, options)
      : dailyHits(db).find<DailyHits>(filter, options);
  for await (const document of documents) {
    const page = pages.get(document.metadata.page);
    const counters = (document as Document)[field];
    if (page) addSlots(page.slots, unit, document.metadata.date.getTime(), [], counters);
  }
  return pages;
}

/** Moves the window to now. Counts change only when a slot of the window's unit has begun or passed. */
function slide(state: TopPagesState, args: TopPagesArgs, now: Date): void {
  const { from, to } = windowOf(args, now);
  if (from === state.from && to === state.to) return;
  state.from = from;
  state.to = to;
  for (const { slots } of state.pages.values()) {
    for (const slot of slots.keys()) if (slot < from) slots.delete(slot);
  }
  rankAll(state, args.first);
}

/** Counts and ranks all pages, and forgets those without slots. */
function rankAll(state: TopPagesState, first: number): void {
  for (const [page, held] of state.pages) {
    if (held.slots.size === 0) state.pages.delete(page);
    else held.count = countOf(held, state);
  }
  state.list = ranking(state).slice(0, first);
}

function countOf({ slots }: PageState, { from, to }: TopPagesState): number {
  let sum = 0;
  for (const [slot, count] of slots) if (slot >= from && slot <= to) sum += count;
  return sum;
}

function ranking({ pages }: TopPagesState): PageHits[] {
  const ranked: PageHits[] = [];
  for (const [page, { count }] of pages) if (count > 0) ranked.push({ page, count });
  return ranked.sort(byRank);
}

/** Most hits first; equal counts by page as UTF-8, which is the database's order too. */
function byRank(left: PageHits, right: PageHits): number {
  return right.count - left.count || Buffer.compare(Buffer.from(left.page), Buffer.from(right.page));
}

function applyEvent(state: TopPagesState, event: ChangeEvent, { lastMs, first }: TopPagesArgs): void {
  const { page } = splitSitePage(event);
  const held = state.pages.get(page) ?? { slots: new Map(), count: 0 };
  const before = held.count;
  for (const [slot, count] of changedSlots(event, unitOf(lastMs))) {
    if (slot < state.from) continue;
    if (slot <= state.to) held.count += count - (held.slots.get(slot) ?? 0);
    if (count === 0) held.slots.delete(slot);
    else held.slots.set(slot, count);
  }
  if (held.slots.size === 0) state.pages.delete(page);
  else state.pages.set(page, held);
  if (state.pages.size > PAGES_MAX) forget(state);
  if (held.count !== before) rank(state, { page, count: held.count }, first);
}

/** Puts a page whose count changed in its place. */
function rank(state: TopPagesState, changed: PageHits, first: number): void {
  const { list } = state;
  const listed = list.find(({ page }) => page === changed.page);
  const last = list.length === first ? list[first - 1] : undefined;
  if (!listed && last && byRank(changed, last) > 0) return;
  if (listed && last && changed.count < listed.count) {
    state.list = ranking(state).slice(0, first); // one that was not listed may come up
    return;
  }
  const others = list.filter((hits) => hits !== listed);
  state.list = changed.count > 0 ? [...others, changed].sort(byRank).slice(0, first) : others;
}

/** Keeps the busiest pages. */
function forget(state: TopPagesState): void {
  const kept = new Set(
    ranking(state)
      .slice(0, PAGES_KEPT)
      .map(({ page }) => page),
  );
  for (const page of state.pages.keys()) if (!kept.has(page)) state.pages.delete(page);
}

function changedParts(before: readonly PageHits[], after: readonly PageHits[]): readonly string[] {
  const same =
    before.length === after.length &&
    before.every((hits, index) => hits.page === after[index]?.page && hits.count === after[index]?.count);
  return same ? [] : [LIST];
}
