/** A small social feed for tests: a reader's state has the cards, not hidden, of all whom the reader follows. */
import type { Db } from 'mongodb';
import { type ChangeEvent, defineCollection, defineFeed, type StateFeed } from '../../src/database/index.js';

export interface Card {
  /** The owner, a slash and a name. */
  _id: string;
  owner: string;
  value: number;
  hidden: boolean;
}

/** Whom a reader follows. */
export interface Graph {
  _id: string;
  follows: string[];
}

// Of the cards of some owners.
export const cards = defineCollection<Card>('test.cards', [{ key: { owner: 1 } }]);
export const graphs = defineCollection<Graph>('test.graphs');

/** A change holds the changed cards; null for those that are no longer shown. */
export type Shown = Readonly<Record<string, number>>;
export type ShownChange = Readonly<Record<string, number | null>>;

interface CardState {
  readonly follows: readonly string[];
  readonly shown: Map<string, number>;
  isUncertain: boolean;
}

export type CardFeed = StateFeed<{ reader: string }, CardState, Shown, ShownChange>;

/** What a feed was asked to do, and what happens before it reads. */
export interface Probe {
  reads: number;
  /** The ids of the documents whose events were applied. */
  applied: string[];
  beforeRead: () => Promise<void>;
  /** More topics of every event of a card. */
  moreTopics: readonly string[];
}

const idOf = (event: ChangeEvent) => String(event.documentKey._id);
const ownerOf = (id: string) => id.slice(0, id.indexOf('/'));

/** @param differMax if more cards differ after the state was read again, the whole state is sent */
export function defineCardFeed(name: string, differMax = 1000): { readonly feed: CardFeed; readonly probe: Probe } {
  const probe: Probe = { reads: 0, applied: [], beforeRead: async () => {}, moreTopics: [] };
  const feed: CardFeed = defineFeed({
    kind: 'state',
    name,
    collections: [cards, graphs],
    key: ({ reader }) => reader,
    topic: ({ reader }) => `reader:${reader}`,
    topics: (event) =>
      event.collection === graphs.collectionName
        ? [`reader:${idOf(event)}`]
        : [`owner:${ownerOf(idOf(event))}`, ...probe.moreTopics],
    topicsOf: ({ follows }) => [...follows.map((owner) => `owner:${owner}`), ...probe.moreTopics],
    snapshot: async (db: Db, { reader }, session) => {
      probe.reads += 1;
      const follows = (await graphs(db).findOne({ _id: reader }, { session }))?.follows ?? [];
      await probe.beforeRead();
      const found = await cards(db)
        .find({ owner: { $in: follows } }, { session })
        .toArray();
      const shown = found.filter(({ hidden }) => !hidden).map(({ _id, value }): [string, number] => [_id, value]);
      return { follows, shown: new Map(shown), isUncertain: false };
    },
    touched: (event) => (event.collection === graphs.collectionName ? null : [idOf(event)]),
    apply: (state, event) => {
      probe.applied.push(idOf(event));
      return applyTo(state, event);
    },
    view: ({ shown }) => Object.fromEntries(shown),
    change: ({ shown }, keys) => Object.fromEntries([...keys].map((key) => [key, shown.get(key) ?? null])),
    bytes: ({ shown }) => shown.size * 100,
    reread: {
      isUncertain: (state) => state.isUncertain,
      compare: ({ shown: before }, { shown: after }) => {
        const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
          (key) => before.get(key) !== after.get(key),
        );
        return differing.length > differMax ? null : differing;
      },
    },
  });
  return { feed, probe };
}

/** An event of who follows whom, or of what is hidden, does not tell what is shown now. */
function applyTo(state: CardState, event: ChangeEvent): readonly string[] {
  const id = idOf(event);
  const { hidden, value } = { ...event.updated, ...event.document } as Partial<Card>;
  if (event.collection === graphs.collectionName || (event.operation === 'update' && hidden !== undefined)) {
    state.isUncertain = true;
    return [];
  }
  if (event.operation === 'delete' || hidden) return state.shown.delete(id) ? [id] : [];
  if (event.operation === 'update' && !state.shown.has(id)) return []; // a hidden one
  if (value !== undefined) state.shown.set(id, value);
  return [id];
}

export async function put(db: Db, id: string, value: number): Promise<void> {
  const once = { owner: ownerOf(id), hidden: false };
  await cards(db).updateOne({ _id: id }, { $set: { value }, $setOnInsert: once }, { upsert: true });
}

export async function hide(db: Db, id: string, hidden = true): Promise<void> {
  await cards(db).updateOne({ _id: id }, { $set: { hidden } });
}

export async function setFollows(db: Db, reader: string, follows: string[]): Promise<void> {
  await graphs(db).updateOne({ _id: reader }, { $set: { follows } }, { upsert: true });
}
