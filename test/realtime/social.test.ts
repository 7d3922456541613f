/**
 * Several topics and reading again as a property: a client has what the database had at the time of every event, while cards change and
 * are hidden, the reader follows and unfollows, and the client disconnects and resumes by cursor, on two hubs.
 */
import fc from 'fast-check';
import { type Db, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Hub } from '../../src/realtime/index.js';
import { clusterTimeParts } from '../../src/shared/cluster-time.js';
import { useDatabase } from '../support/database.js';
import { type Card, cards, defineCardFeed, type Graph, graphs, hide, put, type Shown, setFollows } from './cards.js';

const RUNS = Number(process.env.SOCIAL_RUNS ?? 60);
const AT_ONCE = 15;
const ROUNDS_MAX = 10;
const OWNERS = ['p', 'q', 'r'];
const RINGS = [
  { events: 2000, bytes: 10_000_000 },
  { events: 5, bytes: 100_000 },
] as const;

type Act =
  | { readonly kind: 'put'; readonly card: number; readonly value: number }
  | { readonly kind: 'hide'; readonly card: number; readonly hidden: boolean }
  | { readonly kind: 'remove'; readonly card: number }
  | { readonly kind: 'follow'; readonly owners: number[] };

interface Schedule {
  readonly writers: readonly (readonly Act[])[];
  readonly visits: readonly { readonly hub: 0 | 1; readonly ms: number }[];
}

const card = fc.nat({ max: 8 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), card, value: fc.nat({ max: 99 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hide' as const), card, hidden: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), card }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('follow' as const), owners: fc.subarray([0, 1, 2]) }) },
);
const schedules: fc.Arbitrary<Schedule> = fc.record({
  writers: fc.array(fc.array(act, { minLength: 5, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
  visits: fc.array(fc.record({ hub: fc.constantFrom(0 as const, 1 as const), ms: fc.nat({ max: 400 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
});

const database = useDatabase({ checked: false });
const { feed } = defineCardFeed('testSocial', 4);
let hubs: readonly [Hub, Hub];

beforeAll(async () => {
  const open = (ring: (typeof RINGS)[number]) => Hub.create({ db: database.db, ring, catchUpsMax: 4, lingerMs: 100 });
  hubs = [await open(RINGS[0]), await open(RINGS[1])];
});
afterAll(() => Promise.all(hubs.map((hub) => hub.close())));

describe('a feed of whom a reader follows', () => {
  it('equals the database at every event', { timeout: 600_000 }, async () => {
    const seed = Number(process.env.SEXTANT_SEED ?? Date.now() % 1_000_000);
    const resumed = (kind: 'fromRing' | 'caughtUp') => hubs.reduce((sum, { health }) => sum + health.resumed[kind], 0);
    const reached = () => ({ ...kinds, fromRing: resumed('fromRing'), caughtUp: resumed('caughtUp') });
    const areReached = () => Object.values(reached()).every((count) => count > RUNS / 20);
    // On a busy machine, visits end before much has happened: then there are more of them.
    for (let round = 0; round === 0 || (round < ROUNDS_MAX && !areReached()); round += 1) {
      const waiting = fc.sample(schedules, { numRuns: RUNS, seed: seed + round }).entries();
      const runner = async () => {
        for (const [index, schedule] of waiting) await run(schedule, `seed-${seed + round}-${round}-${index}`);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, runner));
    }
    for (const [what, count] of Object.entries(reached())) expect(count, what).toBeGreaterThan(RUNS / 20);
  });
});

/** How many events of each kind were compared. */
const kinds = { snapshot: 0, change: 0, reset: 0 };

async function run({ writers, visits }: Schedule, reader: string): Promise<void> {
  const { db } = database;
  await setFollows(db, reader, [`p-${reader}`]);
  const client = new Client(reader);
  const writing = Promise.all(writers.map((acts) => write(db, reader, acts)));
  writing.catch(() => undefined); // awaited below
  for (const { hub, ms } of visits) await client.visit(hubs[hub], async () => wait(ms));
  await writing;
  const end = await readAt(db, reader, null);
  await client.visit(hubs[0], () => expect.poll(() => client.state, { timeout: 20_000 }).toEqual(end));
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function write(db: Db, reader: string, acts: readonly Act[]): Promise<void> {
  const idOf = (number: number) => `${OWNERS[number % 3]}-${reader}/${Math.floor(number / 3)}`;
  for (const each of acts) {
    if (each.kind === 'put') await put(db, idOf(each.card), each.value);
    else if (each.kind === 'hide') await hide(db, idOf(each.card), each.hidden);
    else if (each.kind === 'remove') await cards(db).deleteOne({ _id: idOf(each.card) });
    else {
      const owners = each.owners.map((owner) => `${OWNERS[owner]}-${reader}`);
      await setFollows(db, reader, owners);
    }
    await wait(5);
  }
}

class Client {
  readonly #reader: string;
  state: Record<string, number> = {};
  #cursor: string | null = null;

  constructor(reader: string) {
    this.#reader = reader;
  }

  /** Follows for as long as `stay` takes, and leaves, whatever is in flight. @throws Error an event was wrong */
  async visit(hub: Hub, stay: () => Promise<unknown>): Promise<void> {
    const follow = await hub.follow(feed, { reader: this.#reader }, { after: this.#cursor });
    const read = async () => {
      for await (const event of follow) {
        kinds[event.reset ? 'reset' : event.kind] += 1;
        if (event.kind === 'snapshot') this.state = { ...event.view };
        else
          for (const [id, value] of Object.entries(event.change)) {
            if (value === null) delete this.state[id];
            else this.state[id] = value;
          }
        this.#cursor = event.cursor;
        const held = await readAt(database.db, this.#reader, event.cursor.slice(0, 16));
        if (JSON.stringify(sorted(this.state)) !== JSON.stringify(sorted(held))) {
          const [got, wanted] = [this.state, held].map((each) => JSON.stringify(sorted(each)));
          throw new Error(`${this.#reader}: ${event.kind} ${got} instead of ${wanted} at ${event.cursor}`);
        }
      }
    };
    const reading = read();
    await Promise.race([stay(), reading]);
    await follow.return();
    await reading;
  }
}

const sorted = (shown: Shown) => Object.entries(shown).sort();

/** What the reader is shown at a cluster time; null: now. */
async function readAt(db: Db, reader: string, time: string | null): Promise<Shown> {
  const atClusterTime = time && new Timestamp(clusterTimeParts(time));
  const readConcern = atClusterTime ? { level: 'snapshot', atClusterTime } : { level: 'majority' };
  const find = async <T>(collection: string, filter: object): Promise<T[]> => {
    const { cursor } = await db.command({ find: collection, filter, batchSize: 1000, readConcern });
    return cursor.firstBatch;
  };
  const [graph] = await find<Graph>(graphs.collectionName, { _id: reader });
  const found = await find<Card>(cards.collectionName, { owner: { $in: graph?.follows ?? [] }, hidden: false });
  return Object.fromEntries(found.map(({ _id, value }) => [_id, value]));
}
