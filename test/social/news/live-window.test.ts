/** What followed lists know of people and older posts, and what they tell of those. */
import { isDeepStrictEqual } from 'node:util';
import type { CommandStartedEvent, Db, Document } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { blockPerson } from '../../../src/models/social/network/block.js';
import { deleteCircle } from '../../../src/models/social/network/circle-deletion.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { listFeed } from '../../../src/models/social/news/list-feed.js';
import { type ListArgs, SHOWN_FIRST } from '../../../src/models/social/news/list-state.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findWall } from '../../../src/models/social/news/wall-list.js';
import type { PostDocument } from '../../../src/models/social/posts/post.js';
import { deletePost, editPost } from '../../../src/models/social/posts/post-change.js';
import { Hub } from '../../../src/realtime/index.js';
import { useDatabase } from '../../support/database.js';
import type { Network } from '../social-support.js';
import { ListClient } from './list-client.js';
import { begin } from './random-steps.js';

const database = useDatabase({ checked: false });
let hub: Hub;
let network: Network;
const clients: ListClient[] = [];

const options = { ring: { events: 2000, bytes: 10_000_000 }, catchUpsMax: 4, lingerMs: 50 };

beforeAll(async () => {
  hub = await Hub.create({ ...options, db: database.db });
});
afterAll(() => hub.close());
beforeEach(async () => {
  network = await begin(database.db);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.disconnect();
});

async function follow(args: ListArgs, on = hub): Promise<ListClient> {
  const client = new ListClient(args);
  clients.push(client);
  await client.connect(on);
  await client.until('the first posts', () => client.snapshots > 0);
  return client;
}

const newsOf = (reader: string, on = hub) => follow({ list: 'NEWS', owner: reader, reader }, on);
const wallOf = (owner: string, reader: string | null) => follow({ list: 'WALL', owner, reader });
const has = (id: string) => (shown: readonly PostDocument[]) => shown.some(({ _id }) => _id === id);
const lacks = (id: string) => (shown: readonly PostDocument[]) => !has(id)(shown);

async function postMany(author: string, count: number, input = {}, wall = author): Promise<PostDocument[]> {
  const made: PostDocument[] = [];
  for (let at = 0; at < count; at += 1) made.push(await network.post(author, input, wall));
  return made;
}

const remove = ({ _id, author_id }: PostDocument) =>
  deletePost(database.db, _id, { id: author_id, act: null, nameOf: async () => '' }, network.now());

/** How often a list was read, and how often only the relations of somebody. */
function countReads(): { readonly lists: number; readonly lookUps: number } {
  const counted = { lists: 0, lookUps: 0 };
  database.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    const caller = JSON.stringify(command.comment ?? '');
    if (commandName === 'find' && caller.includes('findReader')) counted.lists += 1;
    if (commandName === 'find' && caller.includes('findRelations')) counted.lookUps += 1;
  });
  return counted;
}

describe('a client that is too slow', () => {
  const missed = async (count: number) => {
    const follow = await hub.follow(listFeed, { list: 'WALL', owner: 'ann', reader: 'ann' }, {});
    await follow.next(); // and then it takes nothing for a while
    const posts = await postMany('ann', count);
    const last = await wallOf('ann', null);
    await last.until('the last post', has((posts.at(-1) as PostDocument)._id));
    const { value } = await follow.next();
    await follow.return();
    return { event: value, posts };
  };

  it('gets all posts that it missed, as long as they are followed', async () => {
    const { event, posts } = await missed(100);
    expect(event.kind).toBe('change');
    expect(event.change.posts).toHaveLength(posts.length);
  });

  it('gets the newest ones as a reset after more, instead of a list with a gap', async () => {
    const { event } = await missed(101);
    expect(event).toMatchObject({ kind: 'snapshot', reset: true });
    expect(event.view.posts).toHaveLength(SHOWN_FIRST);
  });
});

describe('while the circles around a reader change all the time', () => {
  it('what is posted, edited and deleted is told nevertheless', async () => {
    for (const author of ['ann', 'ben']) await network.follow('cid', author);
    for (const follower of ['ann', 'ben', 'dan']) await network.follow(follower, 'cid', 'Family');
    const before = await network.post('ann');
    const news = await newsOf('cid');
    const wall = await wallOf('ann', 'cid');
    let isOver = false;
    const changeAround = async (person: string) => {
      while (!isOver) {
        await network.unfollow(person, 'cid', 'Family');
        await network.follow(person, 'cid', 'Family');
      }
    };
    const changes = ['ben', 'dan'].map(changeAround);
    try {
      const post = await network.post('ann');
      await editPost(database.db, 'ann', before._id, 'Edited', network.now());
      const isEdited = (shown: readonly PostDocument[]) => shown.some(({ text }) => text === 'Edited');
      for (const list of [news, wall]) {
        await list.until('the post', has(post._id));
        await list.until('the edit', isEdited);
      }
      await remove(post);
      for (const list of [news, wall]) await list.until('the removal', lacks(post._id));
    } finally {
      isOver = true; // also for the tests that follow
      await Promise.all(changes);
    }
  });
});

describe('the id of a deleted post', () => {
  it.each([
    ['a visitor', null],
    ['a reader in no circle', 'cid'],
    ['a reader over a block', 'dan'],
  ])('is not told to %s who did not see it, on a wall and after a lost connection', async (_who, reader) => {
    await blockPerson(database.db, 'ben', 'dan', network.now());
    const secret = await network.post('ann', { audience: 'MY_CIRCLES' });
    const hidden = await network.post('ben', { audience: reader === 'dan' ? 'PUBLIC' : 'MY_CIRCLES' }, 'ann');
    const [shown] = await postMany('ann', 25); // so the list has older ones that are not followed
    const wall = await wallOf('ann', reader);
    const lost = await wallOf('ann', reader);
    await lost.disconnect();
    for (const post of [secret, hidden]) await remove(post);
    await lost.connect(hub);
    const last = await network.post('ann');
    for (const client of [wall, lost]) await client.until('a later post', has(last._id));
    expect([wall, lost].map(({ removed }) => removed)).toEqual([[], []]);
    wall.showOlder([shown as PostDocument]);
    await remove(shown as PostDocument);
    await wall.until('the removal of an older post that was seen', lacks((shown as PostDocument)._id));
  });

  it('is told to whom it was shared with, although nothing else of its author is known', async () => {
    await network.follow('ben', 'cid');
    const secret = await network.post('ben', { audience: 'MY_CIRCLES' }, 'ann');
    await postMany('ann', 25);
    const [seer, other] = [await wallOf('ann', 'cid'), await wallOf('ann', 'dan')];
    seer.showOlder([secret]);
    await remove(secret);
    await seer.until('the removal', lacks(secret._id));
    const last = await network.post('ann');
    await other.until('a later post', has(last._id));
    expect(other.removed).toEqual([]);
  });
});

describe('the end of the newest posts', () => {
  const idsOf = (some: readonly PostDocument[]) => some.map(({ _id }) => _id);
  const newest = (all: readonly PostDocument[]) => idsOf(all.slice(-SHOWN_FIRST).toReversed());
  const isWhole = (all: readonly PostDocument[]) => (shown: readonly PostDocument[]) =>
    isDeepStrictEqual(idsOf(shown.slice(0, SHOWN_FIRST)), newest(all));

  it.each([
    ['their author', 'ann'],
    ['a visitor', null],
  ])('is filled for %s, whose connection was lost while some were deleted', async (_who, reader) => {
    const all = await postMany('ann', 25);
    const wall = await wallOf('ann', reader);
    await wall.disconnect();
    for (const post of all.splice(22)) await remove(post);
    await wall.connect(hub);
    await wall.until('posts that have moved up', isWhole(all));
  });

  it('is filled for one who has joined while others follow more', async () => {
    const all = await postMany('ann', 20);
    const first = await wallOf('ann', 'ann');
    all.push(...(await postMany('ann', 5)));
    await first.until('all posts', (shown) => shown.length === 25);
    const later = await wallOf('ann', 'ann');
    for (const post of all.splice(22)) await remove(post);
    await later.until('posts that have moved up', isWhole(all));
  });

  it('is filled for one who has joined while others follow more, also when posts go because of a block', async () => {
    for (const person of ['ben', 'cid']) await network.follow('ann', person);
    const all = await postMany('ben', 20);
    const first = await newsOf('ann');
    const others = await postMany('cid', 3);
    await first.until('all posts', (shown) => shown.length === 23);
    const later = await newsOf('ann');
    expect(lacks((all[0] as PostDocument)._id)(later.shown)).toBe(true);
    await blockPerson(database.db, 'ann', 'cid', network.now());
    await later.until('posts that have moved up', isWhole(all));
    expect(later.shown).toHaveLength(all.length);
    expect(others).toHaveLength(3);
  });

  it('has no gap before it after a lost connection in which more have come than are told at once', async () => {
    const all = await postMany('ann', 20);
    const wall = await wallOf('ann', 'cid');
    const other = await Hub.create({ ...options, db: database.db });
    await wall.disconnect();
    all.push(...(await postMany('ann', 25)));
    await wall.connect(other);
    await wall.until('the newest', isWhole(all));
    expect(idsOf(wall.shown)).toEqual(idsOf(all).toReversed().slice(0, wall.shown.length));
    await wall.disconnect();
    await other.close();
  });
});

/** @param meanwhile called when the stream has brought something: what it changes comes only after `goOn` */
function withHeldStream(db: Db, meanwhile: () => Promise<unknown>): { readonly db: Db; goOn(): void; begin(): void } {
  let isArmed = false;
  let goOn = () => {};
  let isHeld: Promise<void> | null = null;
  const command = async (given: Document, commandOptions: object) => {
    const reply = await db.command(given, commandOptions);
    if (given.getMore) await isHeld;
    if (!isArmed || !(reply.cursor?.nextBatch?.length > 0)) return reply;
    isArmed = false;
    isHeld = new Promise((resolve) => {
      goOn = resolve;
    });
    await meanwhile();
    return reply;
  };
  const held = new Proxy(db, {
    get: (target, property) => {
      if (property === 'command') return command;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    db: held,
    goOn: () => goOn(),
    begin: () => {
      isArmed = true;
    },
  };
}

describe('a list that is read again', () => {
  it('starts over when somebody of whom only older posts are shown narrows a circle a moment before', async () => {
    const circle = await network.follow('ben', 'ann', 'Friends');
    await network.follow('ben', 'ann', 'Family');
    const secret = await network.post('ben', { audience: 'CIRCLES', circles: [circle] });
    await postMany('ann', 25);
    const dans = await network.post('dan');
    await network.circle('ann', 'Friends');
    await network.deliver();
    const stream = withHeldStream(database.db, () => network.unfollow('ben', 'ann', 'Friends'));
    const held = await Hub.create({ ...options, db: stream.db });
    const news = await newsOf('ann', held);
    news.showOlder((await findNews(database.db, 'ann', { first: 100 })).edges.map(({ node }) => node));
    expect(has(secret._id)(news.shown)).toBe(true);
    stream.begin();
    await network.follow('ann', 'dan'); // read again, with what ben has changed, whose event waits
    await news.until('a post of who is followed now', has(dans._id));
    stream.goOn();
    await news.until('the removal', lacks(secret._id));
    await news.disconnect();
    await held.close();
  });

  it('follows as many posts as before', async () => {
    const news = await newsOf('ann');
    const all = await postMany('ann', 30);
    await news.until('all posts', (shown) => shown.length === 30);
    await network.follow('ann', 'ben');
    const last = await network.post('ben');
    await news.until('a post of who is followed now', has(last._id));
    const [oldest] = all as [PostDocument];
    await editPost(database.db, 'ann', oldest._id, 'Edited', network.now());
    await news.until('the edit of the oldest', (shown) => shown.at(-1)?.text === 'Edited');
    expect(news.snapshots).toBe(1);
  });

  it.each([
    ['blocks the reader', (circle: string) => [circle, blockPerson(database.db, 'ben', 'ann', network.now())]],
    ['deletes the circle', (circle: string) => [circle, deleteCircle(database.db, 'ben', circle, network.now())]],
  ])('starts over when somebody of whom only older posts are shown %s', async (_what, narrow) => {
    const circle = await network.follow('ben', 'ann', 'Friends');
    await network.follow('ben', 'ann', 'Family'); // so that ben follows still, without this circle
    const secret = await network.post('ben', { audience: 'CIRCLES', circles: [circle] });
    await postMany('ann', 25);
    await network.deliver();
    const news = await newsOf('ann');
    news.showOlder((await findNews(database.db, 'ann', { first: 100 })).edges.map(({ node }) => node));
    expect(has(secret._id)(news.shown)).toBe(true);
    await Promise.all(narrow(circle));
    await news.until('the removal', lacks(secret._id));
    expect(news.snapshots).toBe(2);
  });

  it('starts over on a wall, too, when a guest narrows a circle', async () => {
    const circle = await network.follow('ben', 'cid', 'Friends');
    const secret = await network.post('ben', { audience: 'CIRCLES', circles: [circle] }, 'ann');
    await postMany('ann', 25);
    const wall = await wallOf('ann', 'cid');
    wall.showOlder((await findWall(database.db, 'cid', 'ann', { first: 100 })).edges.map(({ node }) => node));
    expect(has(secret._id)(wall.shown)).toBe(true);
    await network.unfollow('ben', 'cid', 'Friends');
    await wall.until('the removal', lacks(secret._id));
  });
});

describe('the id of a post that came after the reader was shut out', () => {
  const shutOut = {
    'taken out of the circle': () => network.unfollow('ben', 'ann'),
    blocked: () => blockPerson(database.db, 'ben', 'ann', network.now()),
  };

  it.each([
    ['news', 'taken out of the circle', 'stays'],
    ['news', 'blocked', 'stays'],
    ['news', 'blocked', 'is deleted'],
    ['wall', 'taken out of the circle', 'stays'],
    ['wall', 'taken out of the circle', 'is deleted'],
    ['wall', 'blocked', 'stays'],
  ] as const)('is not told on the %s to one who was %s, when it %s', async (list, how, then) => {
    const circle = await network.follow('ben', 'ann');
    await network.follow('ann', 'ben'); // so a public post is for the news
    const secretOne = { audience: 'CIRCLES', circles: [circle] } as const;
    const known = await network.post('ben', secretOne);
    let secret = known;
    const stream = withHeldStream(database.db, async () => {
      await shutOut[how]();
      secret = await network.post('ben', how === 'blocked' ? {} : secretOne);
      if (then === 'is deleted') await remove(secret);
    });
    const held = await Hub.create({ ...options, db: stream.db });
    const shown =
      list === 'news' ? await newsOf('ann', held) : await follow({ list: 'WALL', owner: 'ben', reader: 'ann' }, held);
    expect(has(known._id)(shown.shown)).toBe(true);
    stream.begin();
    await network.post('ann');
    await waitFor('the secret post', 10_000, async () => (secret === known ? null : true));
    stream.goOn(); // both changes come at once
    await shown.until('the removal of what was shown', lacks(known._id));
    expect(shown.removed).not.toContain(secret._id);
    await shown.disconnect();
    await held.close();
  });
});

describe('the news of a reader with more followers than a list knows', () => {
  beforeEach(async () => {
    const pages = Array.from({ length: 10 }, (_, at) => ({
      _id: `ann/${String(at + 2).padStart(6, '0')}`,
      user_id: 'ann',
      number: at + 2,
      followers: [{ id: `follower-${at}`, since: network.now() }],
    }));
    await followerPages(database.db).insertMany(pages);
  });
  afterEach(() => followerPages(database.db).deleteMany({ user_id: 'ann' }));

  it.each([
    ['is looked up', false],
    ['was looked up for another post', true],
  ])('follow what becomes of a post whose author %s', async (_who, isKnown) => {
    const friends = await network.follow('dan', 'ann', 'Friends'); // in the first page, which is not among the latest
    const family = await network.follow('dan', 'cid', 'Family');
    const news = await newsOf('ann');
    if (isKnown) {
      await network.post('dan', { audience: 'CIRCLES', circles: [family] });
      const own = await network.post('ann');
      await news.until('a post after it', has(own._id));
    }
    const post = await network.post('dan', { audience: 'CIRCLES', circles: [friends] });
    await news.until('the post', has(post._id));
    await editPost(database.db, 'dan', post._id, 'Edited', network.now());
    await news.until('the edit', (shown) => shown.some(({ text }) => text === 'Edited'));
    expect(news.snapshots).toBe(1);
  });
});

describe('a list is not read again', () => {
  it('for posts of followers that are not meant for the reader, and once for those that may be', async () => {
    await network.follow('ben', 'ann');
    const family = await network.follow('ben', 'cid', 'Family');
    const friends = await network.circle('ben', 'Colleagues');
    await network.follow('ben', 'ann', 'Colleagues');
    const news = await newsOf('ann');
    await network.follow('dan', 'ann', 'Friends'); // the news are read again, with what is known of dan
    const first = await network.post('dan', { audience: 'MY_CIRCLES' });
    await news.until('the first post', has(first._id));
    const reads = countReads();
    await postMany('ben', 5);
    await postMany('ben', 1, {}, 'cid');
    const seen = await network.post('ben', { audience: 'MY_CIRCLES' });
    await news.until('a post for all circles', has(seen._id));
    expect(reads).toEqual({ lists: 0, lookUps: 0 });
    for (let round = 1; round <= 3; round += 1) {
      await network.post('ben', { audience: 'CIRCLES', circles: [family] });
      const meant = await network.post('ben', { audience: 'CIRCLES', circles: [friends] });
      await news.until('a post for the circle of the reader', has(meant._id));
    }
    expect(news.shown).toHaveLength(5);
    expect(reads).toEqual({ lists: 0, lookUps: 1 });
    expect(news.snapshots).toBe(1);
  });

  it('for a wall on which somebody posts over a block, or somebody unknown in public', async () => {
    await blockPerson(database.db, 'ben', 'cid', network.now());
    await network.follow('dan', 'ann');
    const wall = await wallOf('ann', 'cid');
    const reads = countReads();
    await postMany('ben', 5, {}, 'ann');
    const seen = await network.post('dan', {}, 'ann');
    await wall.until('a public post', has(seen._id));
    await network.follow('ben', 'ann'); // a change between others
    const last = await network.post('ann');
    await wall.until('the last post', has(last._id));
    expect(wall.shown).toHaveLength(2);
    expect(reads).toEqual({ lists: 0, lookUps: 0 });
  });
});
