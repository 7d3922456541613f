/**
 * Live lists under random posts, deletions, circles and blocks, with lost connections and changes of the process: snapshot plus changes
 * equals a fresh snapshot.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { type ListArgs, type ListChange, listFeed, SHOWN_FIRST } from '../../../src/models/social/news/list-feed.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findIncoming, findWall } from '../../../src/models/social/news/wall-list.js';
import { byAge, type PostDocument } from '../../../src/models/social/posts/post.js';
import { Hub } from '../../../src/realtime/index.js';
import { useDatabase } from '../../support/database.js';
import { begin, PEOPLE, type Step, step, take } from './random-steps.js';

const database = useDatabase({ checked: false });
const RUNS = 25;
let hubs: Hub[] = [];

beforeAll(async () => {
  const options = { db: database.db, catchUpsMax: 4, lingerMs: 50 };
  const rings = [
    { events: 2000, bytes: 10_000_000 },
    { events: 5, bytes: 100_000 },
  ];
  hubs = await Promise.all(rings.map((ring) => Hub.create({ ...options, ring })));
});
afterAll(() => Promise.all(hubs.map((hub) => hub.close())));

/** A client that applies what it is sent, as the API says. */
class Client {
  readonly #posts = new Map<string, PostDocument>();
  #cursor: string | null = null;
  #follow: Awaited<ReturnType<typeof this.open>> | null = null;

  constructor(readonly args: ListArgs) {}

  private open(hub: Hub) {
    return hub.follow(listFeed, this.args, { after: this.#cursor });
  }

  async connect(hub: Hub): Promise<void> {
    const follow = await this.open(hub);
    this.#follow = follow;
    void (async () => {
      for await (const event of follow) {
        if (this.#follow !== follow) return; // what arrives after the connection was lost
        this.#cursor = event.cursor;
        if (event.kind === 'snapshot') this.#posts.clear();
        this.#apply(event.kind === 'snapshot' ? event.view : event.change);
      }
    })();
  }

  async disconnect(): Promise<void> {
    const follow = this.#follow;
    this.#follow = null;
    await follow?.return();
  }

  #apply({ posts, removed }: ListChange): void {
    for (const post of posts) this.#posts.set(post._id, post);
    for (const id of removed) this.#posts.delete(id);
  }

  get newest(): PostDocument[] {
    return [...this.#posts.values()].sort(byAge).slice(0, SHOWN_FIRST);
  }
}

const fresh = async ({ list, owner, reader }: ListArgs): Promise<PostDocument[]> => {
  const page = { first: SHOWN_FIRST };
  const { db } = database;
  const found =
    list === 'NEWS'
      ? await findNews(db, owner, page)
      : list === 'INCOMING'
        ? await findIncoming(db, owner, page)
        : await findWall(db, reader, owner, page);
  return found.edges.map(({ node }) => node);
};

const shown = (posts: readonly PostDocument[]) => posts.map(({ _id, text }) => `${_id} ${text}`);

const everyList: ListArgs[] = PEOPLE.flatMap((reader): ListArgs[] => [
  { list: 'NEWS', owner: reader, reader },
  { list: 'INCOMING', owner: reader, reader },
  ...PEOPLE.map((owner): ListArgs => ({ list: 'WALL', owner, reader })),
  { list: 'WALL', owner: reader, reader: null },
]);

const sometimes = fc.array(fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 8 }), loses: fc.boolean() }), {
  minLength: 2,
  maxLength: 5,
});

describe('followers of lists', () => {
  it('see what a fresh read finds, whatever happens', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(sometimes, async (parts) => {
        const network = await begin(database.db);
        const clients = everyList.map((args) => new Client(args));
        let at = 0;
        const hub = () => hubs[at % hubs.length] as Hub;
        await Promise.all(clients.map((client) => client.connect(hub())));
        for (const { steps, loses } of parts) {
          if (loses) await Promise.all(clients.map((client) => client.disconnect()));
          for (const each of steps as Step[]) await take(network, each);
          if (loses) {
            at += 1;
            await Promise.all(clients.map((client) => client.connect(hub())));
          }
        }
        for (const client of clients) {
          const expected = shown(await fresh(client.args));
          let last: string[] = [];
          await waitFor(`the list ${JSON.stringify(client.args)}`, 8000, async () => {
            last = shown(client.newest);
            return JSON.stringify(last) === JSON.stringify(expected) ? true : null;
          }).catch(() => expect(last, JSON.stringify(client.args)).toEqual(expected));
        }
        await Promise.all(clients.map((client) => client.disconnect()));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
