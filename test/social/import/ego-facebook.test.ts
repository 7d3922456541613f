/**
 * Real friendships, if they are next to the project: imported with hundreds of random posts, and then walls and news compared with
 * a computation in memory.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../../harness/project-root.js';
import { chooseSeed, makeRandom, type Random } from '../../../harness/random.js';
import { runsOf } from '../../../harness/rounds.js';
import { callOfPost, personIdOf } from '../../../src/models/social/import/source.js';
import { findPerson } from '../../../src/models/social/network/person.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { findWall } from '../../../src/models/social/news/wall-list.js';
import { posts } from '../../../src/models/social/posts/post.js';
import type { Audience } from '../../../src/models/social/posts/visibility.js';
import type { PageInput } from '../../../src/shared/page.js';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { Network } from '../social-support.js';
import { circlesOf, useNetworkImports } from './network-import-support.js';

const folder = join(projectRoot, '../shared/data/ego-facebook');
const isHere = existsSync(folder);
const EGOS = ['0', '107', '348', '414', '686', '698'];
const POSTS = runsOf(600);
const EGO_EVERY = 20; // posts: those of an ego reach hundreds of readers
const SAMPLE = 25;
const SOURCE = 'ego-facebook';
const FRIENDS = 'Friends';

/** A person's circles by name, in the order of the files. */
type Circles = Map<string, Set<string>>;
/** By the key of the owner. */
type Graph = Map<string, Circles>;

interface PostRow {
  readonly post: string;
  readonly by: string;
  readonly on?: string;
  readonly audience: Audience;
  readonly circles?: readonly string[];
  readonly text: string;
  readonly at: string;
}

const read = (name: string): string[][] => {
  const bytes = readFileSync(join(folder, name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim();
  return text === '' ? [] : text.split('\n').map((line) => line.trim().split(/\s+/));
};

/** Friends know each other both ways. The ego, which is in no file of edges, knows everybody, and has the circles. */
function readGraph(): Graph {
  const graph: Graph = new Map();
  const add = (owner: string, name: string, member: string) => {
    const circles = graph.get(owner) ?? new Map<string, Set<string>>();
    graph.set(owner, circles.set(name, (circles.get(name) ?? new Set()).add(member)));
    if (!graph.has(member)) graph.set(member, new Map());
  };
  for (const ego of EGOS) {
    for (const [node = ''] of read(`${ego}.nodes`)) {
      if (node === ego) continue;
      add(ego, FRIENDS, node);
      add(node, FRIENDS, ego);
    }
    for (const [one = '', other = ''] of read(`${ego}.edges.gz`)) {
      add(one, FRIENDS, other);
      add(other, FRIENDS, one);
    }
    for (const [name = '', ...members] of read(`${ego}.circles`))
      for (const member of members) if (member !== ego) add(ego, name, member);
  }
  return graph;
}

function randomPosts(graph: Graph, random: Random): PostRow[] {
  const keys = [...graph.keys()];
  const pick = () => keys[random.below(keys.length)] ?? '';
  return Array.from({ length: POSTS }, (_, n): PostRow => {
    const by = n % EGO_EVERY === 0 ? (EGOS[random.below(EGOS.length)] ?? '') : pick();
    const names = [...(graph.get(by)?.keys() ?? [])];
    const audience = (['PUBLIC', 'MY_CIRCLES', 'CIRCLES'] as const)[names.length > 0 ? random.below(3) : 0] ?? 'PUBLIC';
    const friends = [...(graph.get(by)?.get(FRIENDS) ?? [])];
    const on = random.below(3) === 0 ? friends[random.below(friends.length)] : undefined;
    return {
      post: `post ${n}`,
      by,
      ...(on !== undefined && { on }),
      audience,
      ...(audience === 'CIRCLES' && { circles: [names[random.below(names.length)] ?? FRIENDS] }),
      text: `Post ${n}`,
      at: new Date(Date.UTC(2024, 0, 1) + random.below(200 * 86_400) * 1000 + n).toISOString(), // no two at the same time
    };
  });
}

const circleRows = (graph: Graph) =>
  [...graph].flatMap(([of, circles]) =>
    [...circles].map(([circle, members]) => ({ circle, of, members: [...members] })),
  );

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random.below(2 ** 32) }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** The rules in memory, said as simply as they can be. */
function truthOf(graph: Graph, all: readonly PostRow[]) {
  const follows = (one: string, other: string) =>
    [...(graph.get(one)?.values() ?? [])].some((circle) => circle.has(other));
  const isMeant = ({ by, audience, circles = [] }: PostRow, reader: string) =>
    audience === 'MY_CIRCLES' ? follows(by, reader) : circles.some((name) => graph.get(by)?.get(name)?.has(reader));
  const sees = (post: PostRow, reader: string) =>
    post.by === reader || (post.on ?? post.by) === reader || post.audience === 'PUBLIC' || isMeant(post, reader);
  const newest = all.toSorted((one, other) => (one.at < other.at ? 1 : -1));
  const keysOf = (some: readonly PostRow[]) => some.map(({ post }) => post);
  return {
    news: (reader: string) =>
      keysOf(
        newest.filter(
          (post) =>
            post.by === reader || (post.audience === 'PUBLIC' ? follows(reader, post.by) : isMeant(post, reader)),
        ),
      ),
    wall: (owner: string, reader: string) =>
      keysOf(
        newest.filter(
          (post) =>
            (post.on ?? post.by) === owner &&
            sees(post, reader) &&
            (owner !== reader || post.by === reader || follows(reader, post.by)),
        ),
      ),
  };
}

const database = useDatabase({ checked: false }); // of thousands of posts; smaller tests explain the queries
const { importAll, expectSound } = useNetworkImports(database);
const id = (key: string): string => personIdOf(SOURCE, key);

async function timed<T>(what: string, count: number, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const done = await work();
  tell(what, count, begun);
  return done;
}

function tell(what: string, count: number, begun: number): void {
  const seconds = (performance.now() - begun) / 1000;
  process.stderr.write(`${what}: ${count} in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)}/s\n`);
}

describe.skipIf(!isHere)(`real friendships${isHere ? '' : ' (skipped: shared/data/ego-facebook is not there)'}`, () => {
  let graph: Graph;
  let written: PostRow[];
  let random: Random;
  const keyOfCall = new Map<string, string>();

  beforeAll(() => {
    random = makeRandom(chooseSeed('ego-facebook'));
    graph = readGraph();
    written = randomPosts(graph, random);
    for (const { post } of written) keyOfCall.set(callOfPost(SOURCE, post), post);
  });

  it('are imported with all circles, followers and posts', { timeout: 600_000 }, async () => {
    const persons = [...graph.keys()].map((key) => ({ person: key, name: `Person ${key}` }));
    const circles = circleRows(graph);
    const ties = circles.reduce((sum, { members }) => sum + members.length, 0);
    for (const [what, rows, count] of [
      ['people', persons, persons.length],
      ['ties', circles, ties],
      ['posts', written, written.length],
    ] as const) {
      const done = await timed(what, count, () => importAll(lines(shuffled<object>(rows, random)), SOURCE));
      expect(done).toMatchObject({ state: 'FINISHED', imported: rows.length, rejected: 0, total: rows.length });
    }
    await expectSound();
    for (const [key, expected] of graph) {
      const person = await findPerson(database.db, id(key));
      const found = Object.entries(person ? circlesOf(person) : {}).map(([name, ids]) => [name, ids.toSorted()]);
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries([...expected].map(([name, members]) => [name, [...members].map(id).sort()])),
      );
    }
    const everything = lines(shuffled<object>([...persons, ...circles, ...written], random));
    const again = await timed('again', persons.length + ties + POSTS, () => importAll(everything, SOURCE));
    expect(again).toMatchObject({ imported: 0, skipped: persons.length + circles.length + POSTS, rejected: 0 });
    expect(await posts(database.db).countDocuments()).toBe(POSTS);
  });

  it('see on walls and in news what the files imply', { timeout: 600_000 }, async () => {
    const begun = performance.now();
    await new Network(database.db).deliver();
    const pages = await newsPages(database.db)
      .find({}, { projection: { count: 1 } })
      .toArray();
    tell(
      'references in news',
      pages.reduce((sum, { count }) => sum + count, 0),
      begun,
    );
    const truth = truthOf(graph, written);
    const readAll = async (find: (page: PageInput) => ReturnType<typeof findNews>): Promise<string[]> => {
      const keys: string[] = [];
      for (let after: string | null = null; ; ) {
        const page: Awaited<ReturnType<typeof findNews>> = await find({ first: 100, after });
        keys.push(...page.edges.map(({ node }) => keyOfCall.get(node.call ?? '') ?? node._id));
        if (!page.pageInfo.hasNextPage) return keys;
        after = page.pageInfo.endCursor;
      }
    };
    const sample = [...EGOS, ...shuffled([...graph.keys()], random).slice(0, SAMPLE)];
    for (const reader of sample) {
      expect(await readAll((page) => findNews(database.db, id(reader), page))).toEqual(truth.news(reader));
      const friend = [...(graph.get(reader)?.get(FRIENDS) ?? [])][0] ?? reader;
      for (const owner of [reader, friend, ...EGOS])
        expect(await readAll((page) => findWall(database.db, id(reader), id(owner), page))).toEqual(
          truth.wall(owner, reader),
        );
    }
  });
});
