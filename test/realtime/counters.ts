/** Two test feeds of documents with counters by name: one sends the state, the other a list of increments. */
import type { Db } from 'mongodb';
import {
  type ChangeEvent,
  defineCollection,
  defineFeed,
  type EventFeed,
  type StateFeed,
} from '../../src/database/index.js';

export interface CounterDocument {
  _id: string;
  n: Record<string, number>;
}

export const counters = defineCollection<CounterDocument>('test.counters');

/** A change holds the changed counters with their new values. */
export type Counts = Readonly<Record<string, number>>;

const idOf = (event: ChangeEvent) => String(event.documentKey._id);

/** The counters that an event sets, with their values. */
function countsOf(event: ChangeEvent): [string, number][] {
  if (event.document) return Object.entries((event.document as CounterDocument).n);
  return Object.entries(event.updated ?? {}).flatMap(([path, value]) => {
    const [, name] = path.split('.');
    return name ? [[name, value as number] as [string, number]] : Object.entries(value as Record<string, number>);
  });
}

export const counterFeed: StateFeed<{ id: string }, Map<string, number>, Counts, Counts> = defineFeed({
  kind: 'state',
  name: 'testCounters',
  collections: [counters],
  key: ({ id }) => id,
  topic: ({ id }) => id,
  topics: (event) => [idOf(event)],
  snapshot: async (db: Db, { id }, session) => {
    const document = await counters(db).findOne({ _id: id }, { session });
    return new Map(Object.entries(document?.n ?? {}));
  },
  touched: (event) => countsOf(event).map(([name]) => name),
  apply: (state, event) => {
    for (const [name, value] of countsOf(event)) state.set(name, value);
    return countsOf(event).map(([name]) => name);
  },
  view: (state) => Object.fromEntries(state),
  change: (state, keys) => Object.fromEntries([...keys].map((key) => [key, state.get(key) ?? 0])),
  bytes: (state) => state.size * 100,
});

/** One entry per counter that an update sets: `name=value`. */
export const incrementFeed: EventFeed<{ id: string }, Counts, string> = defineFeed({
  kind: 'events',
  name: 'testIncrements',
  collections: [counters],
  key: ({ id }) => id,
  topic: ({ id }) => id,
  topics: (event) => [idOf(event)],
  snapshot: async (db: Db, { id }, session) => (await counters(db).findOne({ _id: id }, { session }))?.n ?? {},
  entries: (event) => countsOf(event).map(([name, value]) => `${name}=${value}`),
});

export async function increment(db: Db, id: string, ...names: string[]): Promise<void> {
  const $inc = Object.fromEntries(names.map((name) => [`n.${name}`, 1]));
  await counters(db).updateOne({ _id: id }, { $inc }, { upsert: true });
}
