/**
 * The live list of a site's pages with the most hits: the result of the query at every cursor. One topic per site. The state holds the
 * window's slots of the busiest pages, so that an event updates one page and hardly ever causes a read.
 *
 * A site may have millions of pages, of which PAGES_READ are read. Every other page is known to rank behind the last one read (`unseen`),
 * plus its hits since then. As long as no such page can have reached the last one in the list, the list is exact. When one can, nothing
 * is sent until the pages have been read again (`isUncertain`).
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { type ChangeEvent, defineFeed, type StateFeed } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/time.js';
import { type DailyHits, dailyHits, type MonthlyHits, monthlyHits } from './hit.js';
import { addSlots, changedSlots, type SlotCounts, type StoredUnit, sitePageOf, storedUnits } from './hit-change.js';
import { READ_MS_MAX } from './hit-read-limit.js';
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
  /** The window: slots that start from `from` to `to`, both inclusive. */
  from: number;
  to: number;
  /** The ranking. It is replaced, never modified. */
  list: readonly PageHits[];
  readonly listMax: number;
  /**
   * The number of pages to read: the busiest ones. When more than twice as many are held, the others are dropped, so that all pages are
   * ranked only once per that many new ones.
   */
  readonly pagesRead: number;
  /** Pages that are not held rank behind this one, unless they have had hits since. Null when all pages are held. */
  unseen: PageHits | null;
  /** The highest number of hits since then on a page that is not exact. */
  seenMax: number;
  /** The approximate size in memory. */
  bytes: number;
}

interface PageState {
  /** Includes future slots, for hits whose time is ahead of the clock. */
  readonly slots: SlotCounts;
  /** The sum over the window. */
  count: number;
  /** True if all of its slots are known, false if only those that changed since the pages were read. */
  readonly isExact: boolean;
}

const FIRST_MAX = 100;
const LAST_MS_MAX = 31 * DAY_MS;
const AHEAD_MS = 2 * DAY_MS; // as in the live chart
const PAGES_READ = 1000;
const PAGE_BYTES = 200; // without its name and slots
const SLOT_BYTES = 60;
/** The only part of this state: the list is always sent as a whole. */
const LIST = 'list';

/** @throws InputError `last` or `first` is out of range */
export function requireTopPagesArgs(args: TopPagesArgs): TopPagesArgs {
  if (args.first < 1 || args.first > FIRST_MAX) throw new InputError('first', `must be from 1 to ${FIRST_MAX}`);
  if (args.lastMs < MINUTE_MS || args.lastMs > LAST_MS_MAX) throw new InputError('last', 'must be from PT1M to P31D');
  return args;
}

export const topPagesFeed = defineTopPagesFeed('top-pages', PAGES_READ);

/** @param pagesRead how many of the busiest pages to read. Tests of the remaining pages use a small number */
export function defineTopPagesFeed(
  name: string,
  pagesRead: number,
): StateFeed<TopPagesArgs, TopPagesState, readonly PageHits[], readonly PageHits[]> {
  return defineFeed({
    kind: 'state',
    name,
    collections: [dailyHits, monthlyHits],

    key: ({ site, lastMs, first }) => JSON.stringify([lastMs, first, site]),
    topic: ({ site, lastMs }) => `${collectionOf(unitOf(lastMs))}:${site}`,
    topics: (event) => [`${event.collection}:${splitSitePage(event).site}`],

    snapshot: async (db, args, session, now) => {
      const { from, to } = windowOf(args, now);
      const { pages, unseen } = await readPages(db, args, { from, count: pagesRead, now }, session);
      const begin = { listMax: args.first, pagesRead, list: [], seenMax: 0, bytes: 0 };
      const state: TopPagesState = { ...begin, pages, from, to, unseen };
      rankAll(state);
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

    bytes: ({ bytes }) => bytes,
    whole: {
      key: LIST,
      fingerprint: ({ list }) => JSON.stringify(list.map(({ page, count }) => [count, page])),
      isUncertain,
    },
  });
}

/** Whether a page that is not held or not exact may belong in the list. */
function isUncertain({ list, listMax, unseen, seenMax }: TopPagesState): boolean {
  if (!unseen) return false;
  const last = list.length === listMax ? list.at(-1) : undefined;
  if (!last || byRank(last, unseen) > 0) return true;
  return seenMax > 0 && seenMax + unseen.count >= last.count;
}

function unitOf(lastMs: number): StoredUnit {
  if (lastMs <= 3 * HOUR_MS) return 'MINUTE';
  return lastMs <= 7 * DAY_MS ? 'HOUR' : 'DAY';
}

function collectionOf(unit: StoredUnit): string {
  return (unit === 'DAY' ? monthlyHits : dailyHits).collectionName;
}

/** A hostname contains no slash, so the first one ends it. */
function splitSitePage(event: ChangeEvent): { site: string; page: string } {
  const sitePage = sitePageOf(event);
  const slash = sitePage.indexOf('/');
  return { site: sitePage.slice(0, slash), page: sitePage.slice(slash + 1) };
}

function windowOf({ lastMs }: TopPagesArgs, now: Date): { from: number; to: number } {
  const unit = unitOf(lastMs);
  return { from: slotOf(unit, now.getTime() - lastMs), to: slotOf(unit, now.getTime()) };
}

/** The slots of the busiest pages. The server ranks them, so that only pages that are kept are transferred. */
async function readPages(
  db: Db,
  { site, lastMs }: TopPagesArgs,
  { from, count, now }: { readonly from: number; readonly count: number; readonly now: Date },
  session: ClientSession,
): Promise<Pick<TopPagesState, 'pages' | 'unseen'>> {
  const unit = unitOf(lastMs);
  const end = nextSlot(unit, slotOf(unit, now.getTime() + AHEAD_MS));
  const ranked = await rankPages(db, site, from, end, count, session);
  const unseen = ranked[count - 1] ?? null;
  const pages = new Map(ranked.map(({ page }): [string, PageState] => [page, newPage(true)]));
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
  return { pages, unseen };
}

const newPage = (isExact: boolean): PageState => ({ slots: new Map(), count: 0, isExact });

/** Moves the window to now. Counts change only when a slot of the window's unit has started or ended. */
function slide(state: TopPagesState, args: TopPagesArgs, now: Date): void {
  const { from, to } = windowOf(args, now);
  if (from === state.from && to === state.to) return;
  state.from = from;
  state.to = to;
  for (const { slots } of state.pages.values()) {
    for (const slot of slots.keys()) if (slot < from) slots.delete(slot);
  }
  rankAll(state);
}

/** Counts and ranks all pages, and drops those without slots. */
function rankAll(state: TopPagesState): void {
  state.seenMax = 0;
  state.bytes = 0;
  for (const [page, held] of state.pages) {
    if (held.slots.size === 0) {
      state.pages.delete(page);
      continue;
    }
    held.count = countOf(held, state);
    if (!held.isExact) state.seenMax = Math.max(state.seenMax, held.count);
    state.bytes += PAGE_BYTES + page.length + SLOT_BYTES * held.slots.size;
  }
  state.list = ranking(state).slice(0, state.listMax);
}

function countOf({ slots }: PageState, { from, to }: TopPagesState): number {
  let sum = 0;
  for (const [slot, count] of slots) if (slot >= from && slot <= to) sum += count;
  return sum;
}

function ranking({ pages }: TopPagesState): PageHits[] {
  const ranked: PageHits[] = [];
  for (const [page, { count, isExact }] of pages) if (count > 0 && isExact) ranked.push({ page, count });
  return ranked.sort(byRank);
}

/** Most hits first. Ties are sorted by page in UTF-8, like in the database. */
function byRank(left: PageHits, right: PageHits): number {
  return right.count - left.count || Buffer.compare(Buffer.from(left.page), Buffer.from(right.page));
}

function applyEvent(state: TopPagesState, event: ChangeEvent, { lastMs }: TopPagesArgs): void {
  const { page } = splitSitePage(event);
  const held = state.pages.get(page) ?? newPage(state.unseen === null);
  const { count: before } = held;
  const { size } = held.slots;
  for (const [slot, count] of changedSlots(event, unitOf(lastMs))) {
    if (slot < state.from) continue;
    if (slot <= state.to) held.count += count - (held.slots.get(slot) ?? 0);
    if (count === 0) held.slots.delete(slot);
    else held.slots.set(slot, count);
  }
  state.bytes += SLOT_BYTES * (held.slots.size - size);
  keep(state, page, held);
  if (!held.isExact) state.seenMax = Math.max(state.seenMax, held.count);
  else if (held.count !== before) rank(state, { page, count: held.count });
}

function keep(state: TopPagesState, page: string, held: PageState): void {
  const known = state.pages.has(page);
  if (held.slots.size === 0) state.pages.delete(page);
  else state.pages.set(page, held);
  if (known !== state.pages.has(page)) state.bytes += (PAGE_BYTES + page.length) * (known ? -1 : 1);
  if (state.pages.size > 2 * state.pagesRead) forget(state);
}

/** Moves a page with a changed count to its position. */
function rank(state: TopPagesState, changed: PageHits): void {
  const { list, listMax } = state;
  const listed = list.find(({ page }) => page === changed.page);
  const last = list.length === listMax ? list[listMax - 1] : undefined;
  if (!listed && last && byRank(changed, last) > 0) return;
  if (listed && last && changed.count < listed.count) {
    state.list = ranking(state).slice(0, listMax); // a page that was not listed may move up
    return;
  }
  const others = list.filter((hits) => hits !== listed);
  state.list = changed.count > 0 ? [...others, changed].sort(byRank).slice(0, listMax) : others;
}

/** Keeps the busiest pages. The others are no longer held, but their maximum count is remembered. */
function forget(state: TopPagesState): void {
  const unseenMax = state.unseen?.count ?? 0;
  const byBound = [...state.pages]
    .map(([page, { slots, isExact }]): PageHits => {
      let count = isExact ? 0 : unseenMax;
      for (const part of slots.values()) count += part;
      return { page, count };
    })
    .sort(byRank);
  for (const { page } of byBound.slice(state.pagesRead)) state.pages.delete(page);
  const first = byBound[state.pagesRead];
  if (first && (!state.unseen || byRank(first, state.unseen) < 0)) state.unseen = first;
  rankAll(state);
}

function changedParts(before: readonly PageHits[], after: readonly PageHits[]): readonly string[] {
  const same =
    before.length === after.length &&
    before.every((hits, index) => hits.page === after[index]?.page && hits.count === after[index]?.count);
  return same ? [] : [LIST];
}
