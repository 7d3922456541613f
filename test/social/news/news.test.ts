/** News and walls through the API: pages, cursors, and what is told live. */
import { beforeAll, describe, expect, it } from 'vitest';
import { people } from '../../../src/models/social/network/person.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Follower, type Member, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;

beforeAll(() => {
  api = new SocialApi(database, server);
});

interface PostsEvent {
  readonly cursor: string;
  readonly reset: boolean;
  readonly posts: readonly { readonly id: string; readonly text: string; readonly commentCount: number }[];
  readonly removed: readonly string[];
}

interface PostEvent {
  readonly cursor: string;
  readonly reset: boolean;
  readonly post: { readonly text: string; readonly commentCount: number; readonly detail: object | null } | null;
}

const EVENT = 'cursor reset posts { id text commentCount } removed';
const NEWS = `subscription ($after: String) { newsChanged(after: $after) { ${EVENT} } }`;
const INCOMING = `subscription ($after: String) { incomingChanged(after: $after) { ${EVENT} } }`;
const WALL = `subscription ($id: ID!, $after: String) { wallChanged(userId: $id, after: $after) { ${EVENT} } }`;
const textsOfTalk = ({ comments }: { readonly comments: readonly { readonly text: string }[] }) =>
  comments.map(({ text }) => text);
const POST = `subscription ($id: ID!, $after: String) { postChanged(id: $id, after: $after) {
  cursor reset post { text commentCount detail { ... on PollDetail { options { votes } } } }
} }`;
const EDIT = 'mutation ($id: ID!, $text: String!) { editPost(id: $id, text: $text) { __typename } }';

/** A page after the other, to the end. */
async function allOf(
  list: string,
  by: Member | null,
  first: number,
  between?: () => Promise<unknown>,
): Promise<string[]> {
  const texts: string[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo } = await api.page(list, by, first, after);
    texts.push(...edges.map(({ node }) => node.text));
    if (!pageInfo.hasNextPage) return texts;
    expect(edges).toHaveLength(first);
    after = pageInfo.endCursor;
    await between?.();
  }
}

const textsOf = ({ posts: some }: PostsEvent) => some.map(({ text }) => text);
const shows = (text: string) => (event: PostsEvent) => textsOf(event).includes(text);
/** Whether the post is gone for a client that applies the event. */
const hides = (id: string) => (event: PostsEvent) =>
  event.removed.includes(id) || (event.reset && !event.posts.some((post) => post.id === id));

describe('pages of news', () => {
  it('are full while many posts of the list are not for the reader, and skip none', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    await api.circle(ben, 'Follows', ann);
    const family = await api.circle(ann, 'Family');
    const friends = await api.circle(ann, 'Friends', ben);
    const expected: string[] = [];
    for (let at = 0; at < 60; at += 1) {
      const isSeen = at % 6 === 0;
      const text = `Post ${at}`;
      await api.post(ann, text, { audience: 'CIRCLES', circleIds: [isSeen ? friends : family] });
      if (isSeen) expected.unshift(text);
    }
    await api.delivered();
    for (const list of ['news', `wall(userId: "${ann.id}")`]) expect(await allOf(list, ben, 4)).toEqual(expected);
    expect(await allOf(`wall(userId: "${ann.id}")`, null, 4)).toEqual([]);
  });

  it('neither skip nor repeat posts while others arrive and are deleted', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    await api.circle(ben, 'Follows', ann);
    for (let at = 0; at < 15; at += 1) await api.post(ann, `Old ${at}`);
    const gone = await api.post(ann, 'Gone');
    await api.delivered();
    const expected = Array.from({ length: 15 }, (_, at) => `Old ${14 - at}`);
    let arrived = 0;
    const arrive = async () => {
      arrived += 1;
      await api.post(ann, `New ${arrived}`);
      if (arrived === 1) await api.remove(ann, gone); // the post to which the cursor belongs, or a newer one
      if (arrived % 2 === 0) await api.delivered();
    };
    expect((await allOf('news', ben, 1, arrive)).filter((text) => text !== 'Gone')).toEqual(expected);
    expect((await api.texts('news', ben)).slice(0, 2)).toEqual([`New ${arrived}`, `New ${arrived - 1}`]);
  });

  it('merge what is copied with what is fetched from an author with many followers', async () => {
    const { star, ann, ben } = await api.members('star', 'ann', 'ben');
    await api.circle(ben, 'Follows', ann, star);
    await people(database.db).updateOne({ _id: star.account }, { $set: { follower_count: 20_000 } });
    const ways: unknown[] = [];
    for (let at = 0; at < 24; at += 1) {
      const id = await api.post(at % 3 === 0 ? star : ann, `Post ${at}`);
      if (at < 2) ways.push((await posts(database.db).findOne({ _id: idOfType('Post', id) ?? '' }))?.way);
    }
    expect(ways).toEqual(['READ', 'WRITE']);
    await api.delivered();
    const expected = Array.from({ length: 24 }, (_, at) => `Post ${23 - at}`);
    for (const first of [1, 5, 100]) expect(await allOf('news', ben, first)).toEqual(expected);
    await api.block(star, ben);
    expect(await allOf('news', ben, 5)).toEqual(expected.filter((_text, at) => (23 - at) % 3 !== 0));
    await people(database.db).updateOne({ _id: star.account }, { $set: { follower_count: 0 } });
  });

  it('show a post to its author at once, and what is written on one’s wall by strangers only as incoming', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    await api.post(ben, 'From a stranger', { audience: 'PUBLIC', onWallOf: ann.id });
    await api.post(ann, 'Own', { audience: 'MY_CIRCLES' });
    expect(await api.texts('news', ann)).toEqual(['Own']);
    expect(await api.texts('incoming', ann)).toEqual(['From a stranger']);
    expect(await api.texts(`wall(userId: "${ann.id}")`, ann)).toEqual(['Own']);
    expect(await api.texts(`wall(userId: "${ann.id}")`, null)).toEqual(['From a stranger']);
    await api.delivered();
  });

  it('refuse cursors of other lists and pages of 101', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    await api.post(ann, 'One');
    const { pageInfo } = await api.page('news', ann);
    const query = 'query ($first: Int, $after: String) { news(first: $first, after: $after) { edges { cursor } } }';
    for (const after of [pageInfo.endCursor, 'forged']) // another reader's is another list
      expect(await api.failure(query, { after }, ben)).toMatchObject({ code: 'BAD_CURSOR' });
    expect(await api.failure(query, { first: 101 }, ben)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await api.failure(query, {}, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    await api.delivered();
  });
});

describe('live', () => {
  it('news begin with the newest, tell of new, edited, commented and deleted posts, and resume by cursor', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    await api.circle(ben, 'Follows', ann);
    const id = await api.post(ann, 'First');
    const news = api.follow<PostsEvent>(ben, NEWS);
    const first = await news.next();
    expect(first).toMatchObject({ reset: false, removed: [], posts: [{ id, text: 'First', commentCount: 0 }] });
    const second = await api.post(ann, 'Second');
    expect((await news.until(shows('Second'))).posts).toMatchObject([{ id: second }]);
    await api.ask(EDIT, { id, text: 'Edited' }, ann);
    expect((await news.until(shows('Edited'))).posts).toMatchObject([{ id }]);
    await api.comment(ben, id, 'A comment');
    const commented = await news.until(({ posts: some }) => some.some((post) => post.commentCount === 1));
    expect(commented.posts).toMatchObject([{ id }]);
    await api.remove(ann, second);
    const removed = await news.until(hides(second));
    expect(removed).toMatchObject({ reset: false, posts: [], removed: [second] });
    const resumed = api.follow<PostsEvent>(ben, NEWS, { after: first.cursor });
    const next = await resumed.next();
    expect(next.reset || next.posts.length + next.removed.length > 0).toBe(true);
    const again = api.follow<PostsEvent>(ben, NEWS, { after: removed.cursor });
    const third = await api.post(ann, 'Third');
    expect((await again.until(shows('Third'))).posts).toMatchObject([{ id: third }]);
    for (const each of [news, resumed, again]) await each.close();
    await api.delivered();
  });

  it('news lose the posts of who removes the reader from a circle, or blocks the reader, at once', async () => {
    const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
    const friends = await api.circle(ann, 'Friends', ben);
    await api.circle(ben, 'Follows', cid);
    const secret = await api.post(ann, 'Secret', { audience: 'MY_CIRCLES' });
    const shown = await api.post(cid, 'Public');
    await api.delivered();
    const news = api.follow<PostsEvent>(ben, NEWS);
    const wall = api.follow<PostsEvent>(ben, WALL, { id: cid.id });
    const post = api.follow<PostEvent>(ben, POST, { id: secret });
    expect(textsOf(await news.next())).toEqual(['Public', 'Secret']);
    expect(textsOf(await wall.next())).toEqual(['Public']);
    expect((await post.next()).post).toMatchObject({ text: 'Secret' });
    await api.removeFromCircle(ann, friends, ben);
    await news.until(hides(secret));
    await post.until((event) => event.post === null);
    await api.block(cid, ben);
    await news.until(hides(shown));
    await wall.until(hides(shown));
    expect(await api.texts('news', ben)).toEqual([]);
    await api.unblock(cid, ben);
    await wall.until(shows('Public'));
    for (const each of [news, wall, post]) await each.close();
    await api.delivered();
  });

  it('a list without older posts names what is gone; one with older posts starts over', async () => {
    const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
    const friends = await api.circle(ben, 'Friends', ann);
    const id = await api.post(ann, 'The first');
    await api.delivered();
    const news = api.follow<PostsEvent>(ben, NEWS);
    expect(textsOf(await news.next())).toEqual(['The first']);
    await api.removeFromCircle(ben, friends, ann);
    expect(await news.until(hides(id))).toMatchObject({ reset: false, posts: [], removed: [id] });
    await news.close();
    for (let more = 1; more <= 20; more += 1) await api.post(ann, `More ${more}`);
    const known = await api.circle(cid, 'Friends', ann);
    await api.delivered();
    const long = api.follow<PostsEvent>(cid, NEWS);
    expect(textsOf(await long.next())).toHaveLength(20);
    await api.removeFromCircle(cid, known, ann);
    expect(await long.until(({ reset }) => reset)).toMatchObject({ posts: [], removed: [] });
    await long.close();
  });

  it('a post and a list leave out comments of a person from the moment of a block, whoever of the two blocks', async () => {
    const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
    const id = await api.post(ann, 'Talked about');
    await api.comment(ben, id, 'By ben');
    const query = 'subscription ($id: ID!) { postChanged(id: $id) { post { latestComments { text } } } }';
    const walls = 'subscription ($id: ID!) { wallChanged(userId: $id) { posts { latestComments { text } } } }';
    type Talk = { readonly latestComments: readonly { readonly text: string }[] };
    const isSilent = (talk: Talk | null | undefined) => talk?.latestComments.length === 0;
    const isTalk = (talk: Talk | null | undefined) => talk?.latestComments.length === 1;
    const post = api.follow<{ post: Talk | null }>(cid, query, { id });
    const wall = api.follow<{ posts: readonly Talk[] }>(cid, walls, { id: ann.id });
    await post.until((event) => isTalk(event.post));
    await wall.until(({ posts: [talk] }) => isTalk(talk));
    for (const [one, other] of [
      [ben, cid],
      [cid, ben],
    ] as const) {
      await api.block(one, other);
      await post.until((event) => isSilent(event.post));
      await wall.until(({ posts: [talk] }) => isSilent(talk));
      await api.unblock(one, other);
      await post.until((event) => isTalk(event.post));
      await wall.until(({ posts: [talk] }) => isTalk(talk));
    }
    for (const each of [post, wall]) await each.close();
    await api.delivered();
  });

  it('incoming posts are told of with those of strangers, and stay after a block until they are deleted', async () => {
    const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
    const incoming = api.follow<PostsEvent>(ann, INCOMING);
    expect(textsOf(await incoming.next())).toEqual([]);
    const guest = { audience: 'MY_CIRCLES', onWallOf: ann.id };
    const id = await api.post(ben, 'By ben', guest);
    await incoming.until(shows('By ben'));
    await api.post(cid, 'By cid', guest);
    await incoming.until(shows('By cid'));
    await api.block(ann, ben);
    expect(await api.texts('incoming', ann)).toEqual(['By cid', 'By ben']);
    expect(await api.remove(ann, id)).toBe('DeletedPost');
    await incoming.until(hides(id));
    expect(await api.texts('incoming', ann)).toEqual(['By cid']);
    await incoming.close();
    await api.delivered();
  });

  describe('a post is told of again when what it shows has changed for its reader:', () => {
    const SHOWN = 'text commentPolicy circles { name } about { ... on Post { text } }';
    interface Shown {
      readonly text: string;
      readonly commentPolicy: string;
      readonly circles: readonly { readonly name: string }[];
      readonly about: { readonly text: string } | null;
    }
    /** The list, and the post with this id alone. @returns waits until both show the post so */
    const watch = async (by: Member, list: string, id: string) => {
      const many = api.follow<{ posts: Shown[] }>(by, `subscription { ${list} { posts { ${SHOWN} } } }`);
      const one = api.follow<{ post: Shown }>(
        by,
        `subscription ($id: ID!) { postChanged(id: $id) { post { ${SHOWN} } } }`,
        { id },
      );
      return {
        until: async (fits: (shown: Shown) => boolean) => {
          const { post } = await one.until((event) => fits(event.post));
          await many.until(({ posts: some }) => some.some((each) => each.text === post.text && fits(each)));
        },
        close: () => Promise.all([many.close(), one.close()]),
      };
    };

    it('what it is about, which the reader may not see any more, sees again, or which is deleted', async () => {
      const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
      const crew = await api.circle(ann, 'Crew', ben, cid);
      await api.circle(ben, 'Follows', cid);
      const aboutId = await api.post(ann, 'Secret', { audience: 'CIRCLES', circleIds: [crew] });
      const id = await api.post(cid, 'About it', { audience: 'PUBLIC', aboutId });
      const shown = await watch(ben, 'newsChanged', id);
      const isTold = ({ about }: Shown) => about?.text === 'Secret';
      await shown.until(isTold);
      await api.removeFromCircle(ann, crew, ben);
      await shown.until(({ about }) => about === null);
      await api.addToCircle(ann, crew, ben);
      await shown.until(isTold);
      await api.remove(ann, aboutId);
      await api.delivered();
      await shown.until(({ about }) => about === null);
      await shown.close();
    });

    it('the names of those who have commented, and of who wrote what it is about', async () => {
      const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
      const aboutId = await api.post(ann, 'The first', { audience: 'PUBLIC' });
      const id = await api.post(cid, 'About it', { audience: 'PUBLIC', aboutId });
      await api.comment(ben, id, 'A comment');
      const NAMES = `subscription ($id: ID!) { postChanged(id: $id) { post {
        about { ... on Post { author { name } } } latestComments { author { name } }
      } } }`;
      interface Named {
        readonly post: {
          readonly about: { readonly author: { readonly name: string } } | null;
          readonly latestComments: readonly { readonly author: { readonly name: string } }[];
        };
      }
      const shown = api.follow<Named>(cid, NAMES, { id });
      await shown.next();
      await api.ask('mutation { changeName(name: "Benedict") { id } }', {}, ben);
      await shown.until(({ post }) => post.latestComments[0]?.author.name === 'Benedict');
      await api.ask('mutation { changeName(name: "Annabel") { id } }', {}, ann);
      await shown.until(({ post }) => post.about?.author.name === 'Annabel');
      await shown.close();
      await api.delivered();
    });

    it('that its reader has joined the network, and may comment', async () => {
      const { ann } = await api.members('ann');
      const id = await api.post(ann, 'For everybody', { audience: 'PUBLIC' });
      const outside = await api.account('dan');
      const shown = await watch(outside, `wallChanged(userId: "${ann.id}")`, id);
      await shown.until(({ commentPolicy }) => commentPolicy === 'NOBODY');
      await api.ask('mutation { saveProfile(input: {}) { id } }', {}, outside);
      await shown.until(({ commentPolicy }) => commentPolicy === 'MEMBERS');
      await shown.close();
      await api.delivered();
    });

    it('a block between its author and the owner of the wall, over which nobody comments', async () => {
      const { ann, ben } = await api.members('ann', 'ben');
      const id = await api.post(ben, 'On her wall', { audience: 'PUBLIC', onWallOf: ann.id });
      const all = [await watch(ann, 'incomingChanged', id), await watch(ben, 'newsChanged', id)];
      for (const shown of all) await shown.until(({ commentPolicy }) => commentPolicy === 'MEMBERS');
      await api.block(ann, ben);
      for (const shown of all) await shown.until(({ commentPolicy }) => commentPolicy === 'NOBODY');
      await api.unblock(ann, ben);
      for (const shown of all) {
        await shown.until(({ commentPolicy }) => commentPolicy === 'MEMBERS');
        await shown.close();
      }
      await api.delivered();
    });

    it('the circles that it is shared with, which have a new name, or are deleted', async () => {
      const { ann } = await api.members('ann');
      const crew = await api.circle(ann, 'Crew');
      const id = await api.post(ann, 'For circles', { audience: 'CIRCLES', circleIds: [crew] });
      const shown = await watch(ann, 'newsChanged', id);
      const isFor = (name?: string) => (post: Shown) => post.circles[0]?.name === name;
      await shown.until(isFor('Crew'));
      await api.ask('mutation ($id: ID!) { renameCircle(id: $id, name: "Mates") { __typename } }', { id: crew }, ann);
      await shown.until(isFor('Mates'));
      await api.ask('mutation ($id: ID!) { deleteCircle(id: $id) { __typename } }', { id: crew }, ann);
      await shown.until(isFor(undefined));
      await shown.close();
      await api.delivered();
    });
  });

  it('a wall tells visitors only of public posts', async () => {
    const { ann } = await api.members('ann');
    await api.post(ann, 'For circles', { audience: 'MY_CIRCLES' });
    const id = await api.post(ann, 'For all');
    const wall: Follower<PostsEvent> = api.follow(null, WALL, { id: ann.id });
    const events = [await wall.next()];
    expect(textsOf(events[0] as PostsEvent)).toEqual(['For all']);
    await api.post(ann, 'For circles again', { audience: 'MY_CIRCLES' });
    await api.post(ann, 'For all again');
    await wall.until((event) => {
      events.push(event);
      return shows('For all again')(event);
    });
    await api.remove(ann, id);
    await wall.until(hides(id));
    expect(events.flatMap(textsOf).filter((text) => text.includes('circles'))).toEqual([]);
    await wall.close();
    await api.delivered();
  });

  it('a post tells of edits, votes and comments, and of its end', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    const id = await api.post(ann, 'Poll', {
      audience: 'PUBLIC',
      type: 'POLL',
      poll: { question: 'Which?', options: ['A', 'B'] },
    });
    const post = api.follow<PostEvent>(null, POST, { id });
    const first = await post.next();
    expect(first).toMatchObject({ reset: false, post: { text: 'Poll', commentCount: 0 } });
    await api.ask('mutation ($id: ID!) { voteInPoll(postId: $id, option: 1) { __typename } }', { id }, ben);
    await post.until((event) => JSON.stringify(event.post?.detail) === '{"options":[{"votes":0},{"votes":1}]}');
    await api.comment(ben, id, 'A comment');
    await post.until((event) => event.post?.commentCount === 1);
    await api.ask(EDIT, { id, text: 'Edited' }, ann);
    const edited = await post.until((event) => event.post?.text === 'Edited');
    const resumed = api.follow<PostEvent>(null, POST, { id, after: edited.cursor });
    await api.remove(ann, id);
    await post.until((event) => event.post === null);
    await resumed.until((event) => event.post === null);
    for (const each of [post, resumed]) await each.close();
    await api.delivered();
  });

  it('a post that the reader does not see is followed like one that there is not', async () => {
    const { ann } = await api.members('ann');
    const hidden = await api.post(ann, 'Hidden', { audience: 'MY_CIRCLES' });
    const deleted = await api.post(ann, 'Deleted');
    await api.remove(ann, deleted);
    for (const id of [hidden, deleted, 'none']) {
      const post = api.follow<PostEvent>(null, POST, { id });
      expect(await post.next()).toMatchObject({ reset: false, post: null });
      await post.close();
    }
    await api.delivered();
  });

  it('comments on a post end when their reader is removed from the circle', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    const friends = await api.circle(ann, 'Friends', ben);
    const id = await api.post(ann, 'Secret', { audience: 'MY_CIRCLES' });
    const query = 'subscription ($id: ID!) { commentsChanged(nodeId: $id) { comments { text } } }';
    const comments = api.follow<{ comments: { text: string }[] }>(ben, query, { id });
    expect((await comments.next()).comments).toEqual([]);
    await api.comment(ben, id, 'Seen');
    await comments.until((event) => event.comments.some(({ text }) => text === 'Seen'));
    await api.removeFromCircle(ann, friends, ben);
    expect(await comments.end()).toBe('NOT_FOUND');
    await api.delivered();
  });

  it('comments on a post start over when a block changes, whoever of the two blocks, and end with the post', async () => {
    const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
    const id = await api.post(ann, 'Talked about');
    await api.comment(ben, id, 'First');
    const query = `subscription ($id: ID!) {
      commentsChanged(nodeId: $id) { reset comments { text } commentCount }
    }`;
    interface Talk {
      readonly reset: boolean;
      readonly comments: readonly { readonly text: string }[];
    }
    const talk = api.follow<Talk>(cid, query, { id });
    const visitor = api.follow<Talk>(null, query, { id });
    expect(textsOfTalk(await talk.next())).toEqual(['First']);
    expect(textsOfTalk(await visitor.next())).toEqual(['First']);
    const shown = ['First'];
    for (const [one, other] of [
      [ben, cid],
      [cid, ben],
    ] as const) {
      await api.block(one, other);
      expect(textsOfTalk(await talk.until(({ reset }) => reset))).toEqual([]);
      shown.push(`Behind the block ${shown.length}`);
      await api.comment(ben, id, shown.at(-1) ?? '');
      await api.unblock(one, other);
      expect(textsOfTalk(await talk.until(({ reset }) => reset))).toEqual(shown);
    }
    await api.remove(ann, id);
    for (const each of [talk, visitor]) expect(await each.end()).toBe('NOT_FOUND');
    await api.delivered();
  });

  it('a mutation’s `writtenAt` is not after the cursor of the event that tells of it', async () => {
    const { ann } = await api.members('ann');
    const wall = api.follow<PostsEvent>(null, WALL, { id: ann.id });
    await wall.next();
    const query = 'mutation { publishPost(input: { text: "Timed", audience: PUBLIC }) { __typename } }';
    const { extensions } = await api.send(query, {}, ann);
    const { cursor } = await wall.until(shows('Timed'));
    expect(typeof extensions?.writtenAt).toBe('string');
    expect(String(extensions?.writtenAt) <= cursor).toBe(true);
    await wall.close();
    await api.delivered();
  });
});
