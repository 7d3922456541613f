/** The way of posts into the news of their readers, as authors and administrators see it, and news that are rebuilt. */
import { beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { people } from '../../../src/models/social/network/person.js';
import { addReferences, newsPages } from '../../../src/models/social/news/news-page.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Member, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;
let admin: { readonly token: string };
let ann: Member;
let friends: string;
const readers: Member[] = [];

beforeAll(async () => {
  api = new SocialApi(database, server);
  admin = { token: server.token };
  ({ ann } = await api.members('ann'));
  for (let at = 0; at < 5; at += 1) {
    const reader = await api.member(`reader${at}`);
    await api.circle(reader, 'Follows', ann);
    readers.push(reader);
  }
  friends = await api.circle(ann, 'Friends', ...readers.slice(0, 2));
  await api.circle(ann, 'Family', ...readers.slice(1, 4));
  await api.delivered();
});

const FAN_OUT = `query ($postId: ID!) { fanOut(postId: $postId) {
  id state done total way startedAt finishedAt failure
} }`;
const EXPLAIN =
  'query ($postId: ID!, $readerId: ID) { explainVisibility(postId: $postId, readerId: $readerId) { isVisible rule } }';
const PREVIEW = `query ($audience: Audience!, $circleIds: [ID!]) { audiencePreview(audience: $audience, circleIds: $circleIds) {
  readers isPublic way
} }`;

interface Way {
  readonly id: string;
  readonly done: number;
  readonly total: number;
}

const fanOut = async (postId: string, by: Pick<Member, 'token'>) =>
  (await api.ask<{ fanOut: Way | null }>(FAN_OUT, { postId }, by)).fanOut;
const explain = async (postId: string, readerId: string | null, by: Pick<Member, 'token'>) =>
  (await api.ask<{ explainVisibility: object | null }>(EXPLAIN, { postId, readerId }, by)).explainVisibility;
const storedId = (id: string): string => idOfType('Post', id) ?? '';
const holdersOf = async (id: string) =>
  (
    await newsPages(database.db)
      .find({ 'posts.id': storedId(id) })
      .toArray()
  )
    .map((page) => page.user_id)
    .sort();

describe('a post on its way', () => {
  it.each<[string, () => object, () => readonly Member[]]>([
    ['PUBLIC', () => ({ audience: 'PUBLIC' }), () => readers],
    ['MY_CIRCLES', () => ({ audience: 'MY_CIRCLES' }), () => readers.slice(0, 4)],
    ['CIRCLES', () => ({ audience: 'CIRCLES', circleIds: [friends] }), () => readers.slice(0, 2)],
  ])('for %s has reached those of whom the preview told', async (audience, input, expected) => {
    const { circleIds = [] } = input() as { circleIds?: string[] };
    const total = expected().length;
    expect(await api.ask(PREVIEW, { audience, circleIds }, ann)).toEqual({
      audiencePreview: { readers: total, isPublic: audience === 'PUBLIC', way: 'WRITE' },
    });
    const id = await api.post(ann, `For ${audience}`, { ...input() });
    await api.delivered();
    const way = await fanOut(id, ann);
    expect(way).toEqual({
      id: expect.any(String),
      state: 'FINISHED',
      done: total,
      total,
      way: 'WRITE',
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      failure: null,
    });
    expect(await holdersOf(id)).toEqual([ann, ...expected()].map(({ account }) => account).sort());
    // Only for its author, and for administrators.
    expect(await fanOut(id, admin)).toEqual(way);
    expect(await fanOut(id, readers[0] as Member)).toBeNull();
    const node = 'query ($id: ID!) { node(id: $id) { ... on FanOut { total } } }';
    expect(await api.ask(node, { id: way?.id }, ann)).toEqual({ node: { total } });
    for (const by of [readers[0] as Member, null])
      expect(await api.ask(node, { id: way?.id }, by)).toEqual({ node: null });
    expect(await api.failure(FAN_OUT, { postId: id }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('of an author with many followers is fetched: it is written to nobody', async () => {
    const { star } = await api.members('star');
    await api.circle(readers[0] as Member, 'Stars', star);
    await people(database.db).updateOne({ _id: star.account }, { $set: { follower_count: 20_000 } });
    expect(await api.ask(PREVIEW, { audience: 'PUBLIC' }, star)).toEqual({
      audiencePreview: { readers: 20_000, isPublic: true, way: 'READ' },
    });
    expect(await api.ask(PREVIEW, { audience: 'MY_CIRCLES' }, star)).toMatchObject({
      audiencePreview: { way: 'WRITE' },
    });
    const id = await api.post(star, 'By the star'); // and no courier has to do anything
    expect(await fanOut(id, star)).toMatchObject({ way: 'READ', state: 'FINISHED', done: 20_000, total: 20_000 });
    expect(await holdersOf(id)).toEqual([]);
    expect(await api.texts('news', readers[0] as Member)).toContain('By the star');
    await people(database.db).updateOne({ _id: star.account }, { $set: { follower_count: 1 } });
  });

  it('that is deleted leaves the news, and its visibility says so', async () => {
    const id = await api.post(ann, 'Deleted');
    await api.delivered();
    expect(await holdersOf(id)).toHaveLength(6);
    await api.remove(ann, id);
    await api.delivered();
    expect(await holdersOf(id)).toEqual([]);
    expect(await explain(id, null, ann)).toEqual({ isVisible: false, rule: 'DELETED' });
  });
});

describe('the preview of an audience', () => {
  it('is refused where a post would be', async () => {
    const { cid } = await api.members('cid');
    const foreign = await api.circle(cid);
    for (const [audience, circleIds] of [
      ['CIRCLES', []],
      ['CIRCLES', [foreign]],
      ['CIRCLES', [friends, 'none']],
      ['PUBLIC', [friends]],
    ])
      expect(await api.failure(PREVIEW, { audience, circleIds }, ann)).toMatchObject({
        code: 'BAD_USER_INPUT',
        field: 'circleIds',
      });
  });
});

describe('why a reader sees a post', () => {
  it('is explained to its author, without the blocks of others, and to administrators, and to nobody else', async () => {
    const { foe, outside, blocked } = await api.members('foe', 'outside', 'blocked');
    await api.block(foe, ann);
    await api.block(ann, blocked);
    await api.delivered();
    const [inFriends, , inFamily] = readers as [Member, Member, Member];
    const id = await api.post(ann, 'Explained', { audience: 'CIRCLES', circleIds: [friends], onWallOf: inFamily.id });
    const open = await api.post(ann, 'Open');
    const openOnWall = await api.post(ann, 'Open on a wall', { audience: 'PUBLIC', onWallOf: inFamily.id });
    await api.block(outside, inFamily); // no affair of ann's
    for (const [post, reader, rule, isVisible, told = rule, isToldVisible = isVisible] of [
      [id, ann.id, 'OWN', true],
      [id, foe.id, 'BLOCKED', false, 'NOT_IN_A_CIRCLE'],
      [id, blocked.id, 'BLOCKED', false],
      [id, inFamily.id, 'ON_OWN_WALL', true],
      [id, inFriends.id, 'IN_A_CIRCLE', true],
      [id, outside.id, 'BLOCKED', false, 'NOT_IN_A_CIRCLE'],
      [id, null, 'NOT_IN_A_CIRCLE', false],
      [open, null, 'PUBLIC', true],
      [open, outside.id, 'PUBLIC', true],
      [open, foe.id, 'BLOCKED', false, null],
      [open, blocked.id, 'BLOCKED', false],
      [openOnWall, outside.id, 'BLOCKED', false, 'PUBLIC', true],
      [openOnWall, foe.id, 'BLOCKED', false, null],
    ] as const) {
      expect(await explain(post, reader, admin)).toEqual({ isVisible, rule });
      expect(await explain(post, reader, ann)).toEqual({ isVisible: isToldVisible, rule: told });
      for (const by of [inFriends, inFamily, foe]) expect(await explain(post, reader, by)).toBeNull();
    }
    expect(await explain('none', null, ann)).toBeNull();
    for (const readerId of ['nobody', ''])
      expect(await api.failure(EXPLAIN, { postId: id, readerId }, ann)).toMatchObject({
        code: 'BAD_USER_INPUT',
        field: 'readerId',
      });
    expect(await api.failure(EXPLAIN, { postId: id }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    await api.delivered();
  });
});

describe('news that are rebuilt', () => {
  const REBUILD = 'mutation ($userId: ID!) { rebuildNews(userId: $userId) { id state wrong } }';
  const REBUILT = 'query ($id: ID!) { node(id: $id) { ... on NewsRebuild { state wrong done total failure } } }';

  interface Rebuilt {
    readonly state: string;
    readonly wrong: number;
    readonly done: number;
    readonly total: number;
    readonly failure: string | null;
  }

  async function rebuild(person: Member): Promise<Rebuilt> {
    const { rebuildNews } = await api.ask<{ rebuildNews: { id: string } }>(REBUILD, { userId: person.id }, admin);
    const trail = '{ auditTrail(first: 1) { edges { node { action detail } } } }';
    expect(await api.ask(trail, {}, admin)).toEqual({
      auditTrail: { edges: [{ node: { action: 'NEWS_REBUILT', detail: person.name } }] },
    });
    return waitFor('the rebuild', 20_000, async () => {
      const { node } = await api.ask<{ node: Rebuilt }>(REBUILT, { id: rebuildNews.id }, admin);
      return node.state === 'FINISHED' || node.state === 'FAILED' ? node : null;
    });
  }

  it('get what is missing, lose what does not belong there, and count both; right ones stay as they are', async () => {
    const { cid, dan, eva } = await api.members('cid', 'dan', 'eva');
    await api.circle(dan, 'Follows', cid);
    for (let at = 0; at < 6; at += 1) await api.post(cid, `Post ${at}`);
    const secret = await api.post(cid, 'Secret', { audience: 'MY_CIRCLES' });
    const strange = await api.post(eva, 'Of a stranger');
    await api.delivered();
    const expected = await api.texts('news', dan);
    expect(expected).toEqual(['Post 5', 'Post 4', 'Post 3', 'Post 2', 'Post 1', 'Post 0']);
    expect(await rebuild(dan)).toMatchObject({ state: 'FINISHED', wrong: 0, failure: null });

    const pages = newsPages(database.db);
    const [first, second] = await posts(database.db)
      .find({ author_id: cid.account, text: /^Post [12]$/ })
      .toArray();
    for (const lost of [first, second]) {
      const page = await pages.findOne({ user_id: dan.account, 'posts.id': lost?._id ?? '' });
      if (!page) throw new Error('The post is not in the news');
      const kept = page.posts.filter(({ id }) => id !== lost?._id);
      await pages.updateOne({ _id: page._id, user_id: dan.account }, { $set: { posts: kept, count: kept.length } });
    }
    const foreign = await posts(database.db)
      .find({ _id: { $in: [secret, strange].map(storedId) } })
      .toArray();
    const references = foreign.map(({ _id, posted, author_id }) => ({ id: _id, at: posted, by: author_id }));
    const never = { id: `${cid.account}/${cid.account}/never`, at: new Date(), by: cid.account };
    await addReferences(
      database.db,
      [...references, never].map((post) => ({ reader: dan.account, post })),
    );
    expect(await api.texts('news', dan)).toEqual(expected.filter((text) => !/Post [12]/.test(text)));

    expect(await rebuild(dan)).toMatchObject({ state: 'FINISHED', wrong: 5, failure: null });
    expect(await api.texts('news', dan)).toEqual(expected);
    for (const id of [secret, strange]) expect(await holdersOf(id)).not.toContain(dan.account);
    expect(await pages.findOne({ user_id: dan.account, 'posts.id': never.id })).toBeNull();
    expect(await rebuild(dan)).toMatchObject({ state: 'FINISHED', wrong: 0 });
  });

  it('are of somebody in the network', async () => {
    const outside = await api.account('outside');
    for (const userId of [outside.id, toGlobalId('User', 'none'), 'none'])
      expect(await api.failure(REBUILD, { userId }, admin)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are rebuilt by administrators only', async () => {
    const userId = ann.id;
    expect(await api.failure(REBUILD, { userId }, ann)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await api.failure(REBUILD, { userId }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await api.failure(REBUILD, { userId: 'none' }, admin)).toMatchObject({ code: 'NOT_FOUND' });
  });
});
