/**
 * Live lists under random posts, deletions, circles and blocks, with lost connections and changes of the process: snapshot plus changes
 * equals a fresh snapshot, also in what of a post depends on its reader. Of older pages, which the client has read, nothing stays that the reader does not see.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../harness/rounds.js';
import { waitFor } from '../../../harness/wait-for.js';
import { findCircles } from '../../../src/models/social/network/circle.js';
import { findHiddenFrom } from '../../../src/models/social/network/relation.js';
import { type ListArgs, SHOWN_FIRST } from '../../../src/models/social/news/list-state.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findIncoming, findWall } from '../../../src/models/social/news/wall-list.js';
import type { PostDocument } from '../../../src/models/social/posts/post.js';
import { POST_TYPE } from '../../../src/models/social/posts/post-comments.js';
import { findSeenPosts } from '../../../src/models/social/posts/post-sight.js';
import { Hub } from '../../../src/realtime/index.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import type { Network } from '../social-support.js';
import { ListClient } from './list-client.js';
import { begin, PEOPLE, type Step, step, take } from './random-steps.js';

const database = useDatabase({ checked: false });
const RUNS = runsOf(8);
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

const fresh = async ({ list, owner, reader }: ListArgs, first: number): Promise<PostDocument[]> => {
  const page = { first };
  const { db } = database;
  const found =
    list === 'NEWS'
      ? await findNews(db, owner, page)
      : list === 'INCOMING'
        ? await findIncoming(db, owner, page)
        : await findWall(db, reader, owner, page);
  return found.edges.map(({ node }) => node);
};

const shown = (posts: readonly PostDocument[], lookOf: (post: PostDocument, at: number) => string | undefined) =>
  posts.map((post, at) => `${post._id} ${post.text} ${lookOf(post, at)}`);

const aboutOf = ({ about }: PostDocument) => (about === undefined ? '' : (idOfType(POST_TYPE, about) ?? ''));

/** What of posts depends on the reader at the moment: the names of own circles, what a post is about, and whether there is a block. */
const lookAs = (reader: string | null) => async (posts: readonly PostDocument[]) => {
  const { db } = database;
  const seen = await findSeenPosts(db, reader, posts.map(aboutOf));
  const hidden = await findHiddenFrom(db, reader);
  const circles = reader === null ? [] : await findCircles(db, reader);
  return posts.map((post) => {
    const names = circles.filter(({ id }) => post.circle_ids.includes(id)).map(({ name }) => name);
    const isOverBlock = hidden.has(post.author_id) || hidden.has(post.wall_id);
    return JSON.stringify({
      names: post.author_id === reader ? names : [],
      about: seen.has(aboutOf(post)),
      isOverBlock,
    });
  });
};

const everyList: ListArgs[] = PEOPLE.flatMap((reader): ListArgs[] => [
  { list: 'NEWS', owner: reader, reader },
  { list: 'INCOMING', owner: reader, reader },
  ...PEOPLE.map((owner): ListArgs => ({ list: 'WALL', owner, reader })),
  { list: 'WALL', owner: reader, reader: null },
]);

/** Far more than it takes: after a read, a hub waits ten times as long before the next one, and 28 lists are read at once. */
const WAIT_MS = 60_000;
/** More than a list has. */
const ALL = 100;
const OLD_POSTS = 30;

/** Posts from before, by two of the people, so that some lists have more than a state follows. */
async function postBefore(network: Network): Promise<void> {
  const circle = await network.follow('ann', 'cid', 'Friends');
  for (const person of ['cid', 'dan']) await network.follow(person, 'ann', 'Family');
  for (const person of ['ben', 'dan']) await network.follow('ann', person, 'Family');
  const inputs = [{}, { audience: 'MY_CIRCLES' }, { audience: 'CIRCLES', circles: [circle] }] as const;
  for (let at = 0; at < OLD_POSTS; at += 1)
    await network.post(at % 7 === 0 ? 'ben' : 'ann', at % 7 === 0 ? {} : inputs[at % 3], at % 5 === 0 ? 'ben' : 'ann');
  await network.deliver();
}

interface Part {
  readonly steps: readonly Step[];
  /** Everybody is away meanwhile, and comes back to another process. */
  readonly loses: boolean;
}
const sometimes = fc.array(
  fc.record<Part>({ steps: fc.array(step, { minLength: 1, maxLength: 8 }), loses: fc.boolean() }),
  {
    minLength: 2,
    maxLength: 5,
  },
);

type Reached = ListClient['reached'];

interface Watch {
  readonly waitMs?: number;
  readonly isLost?: (change: number) => boolean;
}

/** @returns what the clients were sent */
async function followAll(parts: readonly Part[], { waitMs = WAIT_MS, isLost }: Watch = {}): Promise<Reached[]> {
  const network = await begin(database.db);
  await postBefore(network);
  const clients = everyList.map((args) => new ListClient(args, lookAs(args.reader), isLost));
  let at = 0;
  const connect = (client: ListClient) => client.connect(hubs[at % hubs.length] as Hub);
  await Promise.all(clients.map(connect));
  try {
    for (const client of clients) {
      await client.until('the first posts', () => client.snapshots > 0);
      const all = await fresh(client.args, ALL);
      client.showOlder(all, await lookAs(client.args.reader)(all));
    }
    for (const { steps, loses } of parts) {
      if (loses) await Promise.all(clients.map((client) => client.disconnect()));
      for (const each of steps) await take(network, each);
      if (!loses) continue;
      at += 1;
      await Promise.all(clients.map(connect));
    }
    await network.deliver(); // what a deleted post leaves, posts about it among them
    for (const client of clients) await expectFresh(client, waitMs);
  } finally {
    await Promise.all(clients.map((client) => client.disconnect()));
  }
  return clients.map(({ reached }) => reached);
}

async function expectFresh(client: ListClient, waitMs: number): Promise<void> {
  const all = await fresh(client.args, ALL);
  const looks = await lookAs(client.args.reader)(all);
  const expected = shown(all.slice(0, SHOWN_FIRST), (_post, at) => looks[at]);
  const isSeen = new Set(all.map(({ _id }) => _id));
  let last: string[] = [];
  await waitFor(`the list ${JSON.stringify(client.args)}`, waitMs, async () => {
    last = shown(client.newest, (post) => client.lookOf(post));
    const isWrong = client.shown.some(({ _id }) => !isSeen.has(_id));
    return JSON.stringify(last) === JSON.stringify(expected) && !isWrong ? true : null;
  }).catch(() => expect(last, JSON.stringify(client.args)).toEqual(expected));
  expect(client.shown.map(({ _id }) => _id).filter((id) => !isSeen.has(id))).toEqual([]);
}

describe('followers of lists', () => {
  it('see what a fresh read finds, whatever happens', { timeout: 900_000 }, async () => {
    const all: Reached[] = [];
    await fc.assert(
      fc.asyncProperty(sometimes, async (parts) => {
        all.push(...(await followAll(parts)));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    const sum = (what: keyof Reached) => all.reduce((total, reached) => total + reached[what], 0);
    const reached = {
      changes: sum('changes'),
      removals: sum('removals'),
      resumed: sum('resumed'),
      resets: sum('resets'),
    };
    process.stderr.write(`live lists: ${JSON.stringify(reached)}\n`);
    if (RUNS >= 8) for (const count of Object.values(reached)) expect(count).toBeGreaterThan(0); // few may miss some
  });

  it('are found to have lost a change', async () => {
    const post = (by: (typeof PEOPLE)[number]): Step => ({
      kind: 'post',
      by,
      on: by,
      audience: 'PUBLIC',
      circle: 'Friends',
      about: null,
    });
    const parts = [{ steps: PEOPLE.map(post), loses: false }];
    await followAll(parts, { waitMs: 20_000 });
    await expect(followAll(parts, { waitMs: 2000, isLost: (change) => change === 1 })).rejects.toThrow();
  });
});
