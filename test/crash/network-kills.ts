/**
 * Readers who follow their news from two servers, while members post, edit, delete, vote, move each other between circles, rename and
 * delete these, block each other and change their names, and servers are killed. Each reader continues at the other server. Moments are
 * chosen by a seed and counted in responses.
 */
import { type Client, createClient } from 'graphql-ws';
import { type Db, MongoClient } from 'mongodb';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type Product, settingsOf } from '../../harness/product.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { startReplicaSet } from '../../harness/replica-set.js';
import { rounds } from '../../harness/rounds.js';
import { waitFor } from '../../harness/wait-for.js';
import { deliveries } from '../../src/models/social/delivery/delivery.js';
import { people } from '../../src/models/social/network/person.js';
import { saveProfile } from '../../src/models/social/network/profile.js';
import { posts } from '../../src/models/social/posts/post.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { impliedLists } from '../social/news/implied-lists.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { testConfig } from '../support/server.js';
import { violationsOf } from './invariants.js';
import { type Member, Writers } from './network-writers.js';
import { Servers } from './servers.js';
import { letWorkersRun } from './workers.js';

const READERS = 50;
const KILLS = rounds({ quick: 2, full: 4 });
const ANSWERS_BETWEEN = 60;
const SHOWN = 20;
const PAGE = 50;
const SETTLED_MS = 60_000;
const PROFILE = { about: '', place: '', interests: [], picture: null };
const POST = 'id text postedAt commentCount detail { ... on PollDetail { myVote options { votes } } }';

interface Post {
  readonly id: string;
  readonly text: string;
  readonly postedAt: string;
  readonly commentCount: number;
  /** Of a poll. */
  readonly detail: object | null;
}

interface PostsEvent {
  readonly cursor: string;
  readonly reset: boolean;
  readonly posts: readonly Post[];
  readonly removed: readonly string[];
}

/** What a client shows that applies each event, as the API says. */
class Reader {
  readonly #shown = new Map<string, Post>();
  #cursor: string | null = null;
  #client: Client | null = null;
  #hasLeft = false;
  /** Connections that continued after the cursor, without a new state. */
  resumed = 0;
  readonly #ended: Promise<void>;

  constructor(
    readonly member: Member,
    servers: Servers,
    random: Random,
  ) {
    this.#ended = this.#follow(servers, random);
  }

  async #follow(servers: Servers, random: Random): Promise<void> {
    while (!this.#hasLeft) {
      try {
        await this.#connect(servers.any(random));
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20)); // the server is gone: at another one, with the cursor
      }
    }
  }

  async #connect({ url }: Product): Promise<void> {
    this.#client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${this.member.token}` },
    });
    const query = `subscription ($after: String) { newsChanged(after: $after) { cursor reset removed posts { ${POST} } } }`;
    const events = this.#client.iterate<{ newsChanged: PostsEvent }>({ query, variables: { after: this.#cursor } });
    let isFirst = this.#cursor !== null;
    for await (const { data, errors } of events) {
      if (!data) throw new Error(JSON.stringify(errors));
      if (isFirst && !data.newsChanged.reset) this.resumed += 1;
      isFirst = false;
      this.#apply(data.newsChanged);
    }
  }

  #apply({ cursor, reset, posts, removed }: PostsEvent): void {
    expect(cursor, 'an event that was delivered before').not.toBe(this.#cursor);
    this.#cursor = cursor;
    if (reset) this.#shown.clear();
    for (const post of posts) this.#shown.set(post.id, post);
    for (const id of removed) this.#shown.delete(id);
  }

  /** @param fresh the newest ones @returns whether the client shows just these, besides older ones */
  shows(fresh: readonly Post[]): boolean {
    const oldest = fresh.length < SHOWN ? '' : (fresh.at(-1)?.postedAt ?? '');
    const isOfPage = ({ postedAt }: Post) => postedAt > oldest || fresh.length < SHOWN;
    const expected = new Map(fresh.map((post) => [post.id, JSON.stringify(post)]));
    for (const post of this.#shown.values()) if (isOfPage(post) && !expected.has(post.id)) return false;
    return fresh.every((post) => JSON.stringify(this.#shown.get(post.id)) === expected.get(post.id));
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#client?.dispose();
    await this.#ended;
  }
}

async function joinAll(db: Db): Promise<Member[]> {
  const { TOKEN_SECRET } = settingsOf({ mongodbUri: null, database: db.databaseName });
  const config = testConfig({ TOKEN_SECRET: TOKEN_SECRET ?? '' });
  const members: Member[] = [];
  for (let at = 0; at < READERS; at += 1) {
    const user = await addPerson(db, `Member ${at}`, ['MEMBER']);
    await saveProfile(db, { id: user._id, name: user.name }, PROFILE, new Date());
    members.push({
      id: toGlobalId('User', user._id),
      account: user._id,
      token: (await beginTestSession(db, config, user)).token,
    });
  }
  return members;
}

/** @param seed repeats everything except the processes' timing */
export async function strikeNetwork(seed: number, kills = KILLS): Promise<void> {
  const random = makeRandom(seed);
  const set = await startReplicaSet();
  const client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const db = client.db('struck_network');
  const servers = new Servers({ mongodbUri: set.uri, database: db.databaseName });
  try {
    await servers.start();
    await servers.start();
    const members = await joinAll(db);
    const readers = members.map((member) => new Reader(member, servers, random));
    const writers = new Writers(members, servers, random);
    const isResumed = () => readers.some(({ resumed }) => resumed > 0);
    // A reader of whom somebody has changed relations meanwhile gets the whole state: go on until one was spared.
    for (let count = 0; count < kills || (!isResumed() && count < 4 * kills); count += 1) {
      await writers.reach(1 + random.below(ANSWERS_BETWEEN));
      await servers.replace(random);
    }
    await writers.reach(ANSWERS_BETWEEN);
    await writers.reachAll();
    await writers.leave();
    await waitFor('the deliveries', SETTLED_MS, async () =>
      (await deliveries(db).findOne({ open: true })) === null ? true : null,
    );
    for (const reader of readers) await expectFresh(reader, servers, random);
    await Promise.all(readers.map((reader) => reader.leave()));
    expect(isResumed(), 'a reader who resumed').toBe(true);
    await letWorkersRun(db);
    await writers.expectKept(db);
    await expectImplied(db, members, servers, random);
    expect(await violationsOf(db)).toEqual([]);
  } finally {
    await servers.stop();
    await client.close();
    await set.stop();
  }
}

async function expectFresh(reader: Reader, servers: Servers, random: Random): Promise<void> {
  const query = `{ news(first: ${SHOWN}) { edges { node { ${POST} } } } }`;
  type News = { readonly news: { readonly edges: readonly { readonly node: Post }[] } };
  await waitFor(`the news of ${reader.member.id}`, SETTLED_MS, async () => {
    const { data } = await servers.any(random).request<News>(query, {}, reader.member.token);
    return data && reader.shows(data.news.edges.map(({ node }) => node)) ? true : null;
  });
}

interface Page {
  readonly news: {
    readonly edges: readonly { readonly node: { readonly id: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

/** The whole news of everybody are what the stored posts and the stored graph imply: both sides of `expectFresh` are answers of a server. */
async function expectImplied(db: Db, members: readonly Member[], servers: Servers, random: Random): Promise<void> {
  const [all, everything] = await Promise.all([people(db).find().toArray(), posts(db).find().toArray()]);
  const query = `query ($after: String) { news(first: ${PAGE}, after: $after) {
    edges { node { id } } pageInfo { hasNextPage endCursor }
  } }`;
  const readPage = async (token: string, after: string | null): Promise<Page['news']> => {
    const { data, errors } = await servers.any(random).request<Page>(query, { after }, token);
    if (!data) throw new Error(JSON.stringify(errors));
    return data.news;
  };
  for (const { account, token } of members) {
    const read: string[] = [];
    for (let after: string | null = null, isLast = false; !isLast; ) {
      const page = await readPage(token, after);
      read.push(...page.edges.map(({ node }) => node.id));
      after = page.pageInfo.endCursor;
      isLast = !page.pageInfo.hasNextPage;
    }
    const implied = impliedLists(all, everything, account).news.map(({ _id }) => toGlobalId('Post', _id));
    expect(read, `the news of ${account}`).toEqual(implied);
  }
}
