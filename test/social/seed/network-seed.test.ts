/** The sample network: filled in once, with its portraits, posts and talk, and taken back as far as nobody has used it. */
import type { Document } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import { comments } from '../../../src/models/comments/discussion/comment.js';
import { discussions } from '../../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../../src/models/comments/discussion-write.js';
import { postComment } from '../../../src/models/comments/posting.js';
import { deliveries } from '../../../src/models/social/delivery/delivery.js';
import { erasePerson } from '../../../src/models/social/erasure.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { type PersonDocument, people } from '../../../src/models/social/network/person.js';
import { findProfile } from '../../../src/models/social/network/profile.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { findWall } from '../../../src/models/social/news/wall-list.js';
import { voteInPoll, votes } from '../../../src/models/social/posts/poll.js';
import { type PostDocument, posts } from '../../../src/models/social/posts/post.js';
import { postHost, subjectOfPost } from '../../../src/models/social/posts/post-comments.js';
import { assetUses } from '../../../src/models/social/posts/post-picture.js';
import { networkSteps } from '../../../src/models/social/seed/network-seed.js';
import { samplePeople } from '../../../src/models/social/seed/sample-people.js';
import type { SampleComment } from '../../../src/models/social/seed/sample-post.js';
import { samplePosts } from '../../../src/models/social/seed/sample-posts.js';
import { assetFiles } from '../../../src/models/system/assets/asset.js';
import { removeUnused } from '../../../src/models/system/assets/asset-removal.js';
import { renderMarkdown } from '../../../src/shared/rendering/markdown.js';
import { useDatabase } from '../../support/database.js';
import { contentsOf, expectSound, repeated, useSeed } from '../../system/work/seed-support.js';
import { Network } from '../social-support.js';

const database = useDatabase();
const seed = useSeed(database, 'social');
const steps = networkSteps(erasePerson);
const all = samplePosts.flat();

afterEach(async () => {
  for (const { collectionName } of [people, followerPages, posts, newsPages, deliveries, votes, discussions, comments])
    await database.db.collection(collectionName).deleteMany({});
});

async function personNamed(name: string): Promise<PersonDocument> {
  const found = await people(database.db).findOne({ name });
  if (!found) throw new Error(`There is nobody named ${name}`);
  return found;
}

async function postOf(filter: Document): Promise<PostDocument> {
  const found = await posts(database.db).findOne(filter);
  if (!found) throw new Error('There is no such post');
  return found;
}

/** Deliveries that have ended stay for 30 days. */
async function contents() {
  const { 'social.deliveries': found = [], ...rest } = await contentsOf(database.db, seed.domain);
  return { ...rest, open: found.filter(({ open }: Document) => open) };
}

const textsOf = (some: readonly SampleComment[] = []): string[] =>
  some.flatMap(({ text, replies }) => [text, ...textsOf(replies)]);

describe('the sample network', () => {
  it('fills an empty domain with people in circles, posts of every type, comments and votes', async () => {
    const { db } = database;
    const filled = await seed.fill();
    expect(filled).toMatchObject({ state: 'FINISHED', done: steps.length, total: steps.length });
    const found = await people(db).find().toArray();
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      Object.values(samplePeople)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(found.every(({ circles, follower_count }) => circles.length > 0 && follower_count > 0)).toBe(true);

    const written = await posts(db).find().toArray();
    expect(written).toHaveLength(all.length);
    expect([...new Set(written.map(({ type }) => type))].toSorted()).toEqual([
      'CHECK_IN',
      'LINK',
      'PHOTO',
      'POLL',
      'STATUS',
    ]);
    expect([...new Set(written.map(({ audience }) => audience))].toSorted()).toEqual([
      'CIRCLES',
      'MY_CIRCLES',
      'PUBLIC',
    ]);
    const ages = written.map(({ posted }) => (filled.created_at.getTime() - posted.getTime()) / 86_400_000);
    expect(Math.min(...ages)).toBeGreaterThan(0);
    expect(Math.max(...ages)).toBeLessThan(60);
    expect(written.reduce((sum, { comments: summary }) => sum + (summary?.count ?? 0), 0)).toBe(
      all.flatMap((post) => textsOf(post.comments)).length,
    );
    await expectSound(db);
  });

  it('has pictures that are small files, of everybody and of each photo', async () => {
    const { db } = database;
    await seed.fill();
    const shown = [
      ...(await people(db).find().toArray()).map(({ picture_id }) => picture_id),
      ...(await posts(db).find({ type: 'PHOTO' }).toArray()).map(({ detail }) => detail?.asset_id),
    ];
    const files = await assetFiles(db).find({ 'metadata.state': 'STORED', filename: /webp$/ }).toArray();
    for (const id of shown) {
      const file = files.find(({ _id }) => String(_id) === id);
      expect(file?.length).toBeLessThan(100_000);
    }
  });

  it('shows a visitor what is public, and a follower more after joining a circle', async () => {
    const { db } = database;
    await seed.fill();
    const oona = await personNamed('Oona Laine');
    const page = { first: 100, after: null };
    const texts = ({ edges }: Awaited<ReturnType<typeof findWall>>) => edges.map(({ node }) => node.text.slice(0, 10));
    expect(texts(await findWall(db, null, oona._id, page))).toEqual(['Two flashe', 'The southe']);
    const network = new Network(db);
    await network.join('visitor');
    await network.follow('visitor', oona._id);
    await network.deliver();
    expect(texts(await findNews(db, 'visitor', page))).toEqual(['Two flashe', 'The southe']);
    const tomas = await personNamed('Tomas Reed');
    expect(texts(await findNews(db, tomas._id, page))).toContain('Rowed home');
    expect(await findProfile(db, 'visitor', oona._id)).toMatchObject({ place: 'Turku', follower_count: 5 });
  });

  it('talks in the order of time, in texts that render to what their Markdown says', () => {
    const at = ([days, time]: readonly [number, string]) => Date.UTC(2026, 5, 1 - days, ...timeOf(time));
    const timeOf = (time: string): [number, number] => time.split(':').map(Number) as [number, number];
    for (const { key, at: posted, text = '', comments: some = [] } of all) {
      let before = at(posted);
      for (const comment of some) {
        expect(at(comment.at), key).toBeGreaterThan(before);
        before = at(comment.at);
      }
      for (const each of [text, ...textsOf(some)]) expect(renderMarkdown(each), key).not.toMatch(/\*|^#|\]\(/m);
    }
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });
});

describe('taking back the sample network', () => {
  it('leaves the domain as it was before, if each step is repeated, and its pictures are removed', async () => {
    const { db } = database;
    const before = await contents();
    const twice = repeated(steps);
    const filled = await seed.fill(twice);
    await new Network(db).deliver();
    const undone = await seed.undo(filled, twice);
    await new Network(db).deliver();
    expect(undone).toMatchObject({ state: 'UNDONE', done: 0 });
    expect(undone.kept).toBeUndefined();
    expect(await contents()).toEqual(before);
    expect(await discussions(db).countDocuments()).toBe(0);
    expect(await comments(db).countDocuments()).toBe(0);
    await expectSound(db);
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000); // when also those of the repetitions are checked
    await removeUnused(db, [assetUses], inTwoDays);
    expect(await assetFiles(db).countDocuments()).toBe(0);
  });

  it('may be undone before anything was delivered', async () => {
    const { db } = database;
    const undone = await seed.undo(await seed.fill());
    expect(undone).toMatchObject({ state: 'UNDONE', done: 0 });
    await new Network(db).deliver();
    expect(await newsPages(db).countDocuments()).toBe(0);
    expect(await people(db).countDocuments()).toBe(0);
    await expectSound(db);
  });

  it('keeps what somebody has commented on or voted for, with its people, and whom somebody follows', async () => {
    const { db } = database;
    const filled = await seed.fill();
    const network = new Network(db);
    await network.join('ann');
    const jonas = await personNamed('Jonas Petrov');
    await network.follow('ann', jonas._id);
    const question = await postOf({ guest: true, text: /knots are called knots/ });
    const comment = { author: { _id: 'ann', name: '' }, isMember: true, text: 'Nice', replyTo: null, now: new Date() };
    await postComment(db, new DiscussionWriter([postHost]), subjectOfPost(question), comment);
    const poll = await postOf({ 'detail.question': /number eleven/ });
    await voteInPoll(db, poll._id, 'ann', 3, new Date());

    const undone = await seed.undo(filled);
    await network.deliver();
    expect(undone).toMatchObject({ state: 'UNDONE', kept: 6 });
    const names = (await people(db).find().toArray()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Idris Bello', 'Jonas Petrov', 'Maren Quist', 'Name of ann', 'Tomas Reed']);
    expect((await posts(db).find().toArray()).map(({ _id }) => _id).toSorted()).toEqual(
      [question._id, poll._id].toSorted(),
    );
    expect(await findProfile(db, 'ann', jonas._id)).toMatchObject({ follower_count: 2, following_count: 2 });
    await expectSound(db);
  });

  it('keeps what was reported or edited, and people on whose wall somebody has written', async () => {
    const { db } = database;
    const filled = await seed.fill();
    const network = new Network(db);
    await network.join('ann');
    const leila = await personNamed('Leila Haddad');
    await network.post('ann', {}, leila._id);
    const { _id } = await postOf({ text: /^Force nine/ });
    await posts(db).updateOne({ _id }, { $set: { reported: new Date(), reports: [] } });
    const undone = await seed.undo(filled);
    await network.deliver();
    expect(undone).toMatchObject({ state: 'UNDONE', kept: 3 });
    const names = (await people(db).find().toArray()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Jonas Petrov', 'Leila Haddad', 'Name of ann']);
    await expectSound(db);
  });
});
