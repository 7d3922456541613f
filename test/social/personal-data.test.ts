/** What the network stores about a person, as it comes into an export: everything, and nothing that others keep to themselves. */
import { expect, it } from 'vitest';
import { erasePerson } from '../../src/models/social/erasure.js';
import { blockPerson } from '../../src/models/social/network/block.js';
import { people } from '../../src/models/social/network/person.js';
import { saveProfile } from '../../src/models/social/network/profile.js';
import { newsPages } from '../../src/models/social/news/news-page.js';
import { personalData } from '../../src/models/social/personal-data.js';
import { reportPost } from '../../src/models/social/posts/moderation.js';
import { voteInPoll } from '../../src/models/social/posts/poll.js';
import { deletePost } from '../../src/models/social/posts/post-change.js';
import { useDatabase } from '../support/database.js';
import { Network, NO_PROFILE } from './social-support.js';

const database = useDatabase();

async function exported(id: string): Promise<Record<string, object[]>> {
  const files: Record<string, object[]> = {};
  for await (const { file, row } of personalData.rows(database.db, id)) {
    files[file] ??= [];
    files[file].push(row);
  }
  return files;
}

it('has the profile, followers, posts with their circles, what is left of deleted ones, votes, reports and news', async () => {
  const { db } = database;
  const network = new Network(db);
  const others = Array.from({ length: 60 }, (_, at) => `other${at}`);
  await network.join(...others, 'ann', 'ben', 'cid');
  await saveProfile(db, { id: 'ann', name: 'Ann' }, { ...NO_PROFILE, about: 'Sails' }, network.now());
  await people(db).updateOne({ _id: 'ann' }, { $set: { picture_id: 'picture' } });
  const crew = await network.follow('ann', 'ben', 'Crew');
  await network.follow('ben', 'ann');
  await network.follow('other1', 'other2');
  await blockPerson(db, 'ann', 'cid', network.now());
  await blockPerson(db, 'other3', 'ann', network.now());
  const poll = await network.post('ben', {
    type: 'POLL',
    text: '',
    poll: { question: 'Which?', options: ['One', 'Two'], closes: null },
  });
  await voteInPoll(db, poll._id, 'ann', 1, network.now());
  const shared = await network.post('ann', { audience: 'CIRCLES', circles: [crew] });
  const guest = await network.post('ann', {}, 'ben');
  const deleted = await network.post('ann');
  await deletePost(db, deleted._id, { id: 'ann', act: null, nameOf: async () => '' }, network.now());
  for (const author of others) {
    const { _id } = await network.post(author);
    await reportPost(db, _id, { by: 'other0', reason: 'Rude', at: network.now() });
  }
  await reportPost(db, poll._id, { by: 'ben', reason: 'Mine is not hers', at: network.now() });
  await reportPost(db, poll._id, { by: 'ann', reason: 'Too rude', at: network.now() });
  await reportPost(db, shared._id, { by: 'ben', reason: 'Who reports is not told', at: network.now() });
  await network.deliver();

  const files = await exported('ann');
  expect(Object.keys(files)).toEqual(Object.keys(personalData.files));
  expect(files['profile.jsonl']).toEqual([
    expect.objectContaining({
      name: 'Ann',
      about: 'Sails',
      picture: 'picture',
      circles: [{ id: crew, name: 'Crew' }],
      following: [expect.objectContaining({ id: 'ben', circles: [crew] })],
      blocked: [{ id: 'cid', at: expect.any(Date) }],
    }),
  ]);
  expect(files['followers.jsonl']).toEqual([{ id: 'ben', since: expect.any(Date) }]);
  expect(files['network-posts.jsonl']).toEqual([
    {
      id: deleted._id,
      wall: 'ann',
      type: 'STATUS',
      audience: 'PUBLIC',
      circles: [],
      posted: deleted.posted,
      deleted: expect.any(Date),
    },
    expect.objectContaining({ id: guest._id, wall: 'ben', text: guest.text, circles: [] }),
    expect.objectContaining({ id: shared._id, audience: 'CIRCLES', circles: [crew] }),
  ]);
  expect(files['votes.jsonl']).toEqual([{ post: poll._id, option: 1 }]);
  expect(files['network-reports.jsonl']).toEqual([{ post: poll._id, at: expect.any(Date), reason: 'Too rude' }]);
  const news = [poll, shared, guest].map(({ _id, author_id, posted }) => ({ post: _id, by: author_id, posted }));
  expect(files['news.jsonl']).toHaveLength(3);
  expect(files['news.jsonl']).toEqual(expect.arrayContaining(news));
  const all = JSON.stringify(files);
  for (const secret of ['other3', 'not told', 'not hers']) expect(all).not.toContain(secret);
});

it('has of the news only what the person may see, whatever was delivered', async () => {
  const { db } = database;
  const network = new Network(db);
  await network.join('reader', 'poster', 'owner');
  await network.follow('reader', 'poster');
  const seen = await network.post('poster');
  const hidden = await network.post('poster', {}, 'owner');
  await network.deliver();
  await blockPerson(db, 'owner', 'reader', network.now());
  await network.deliver();
  expect(await newsPages(db).countDocuments({ user_id: 'reader', 'posts.id': hidden._id })).toBe(1);
  expect((await exported('reader'))['news.jsonl']).toEqual([{ post: seen._id, by: 'poster', posted: seen.posted }]);
});

it('is empty once the person is erased', async () => {
  const network = new Network(database.db);
  while ((await erasePerson(database.db, 'ann', network.now())) > 0) await network.deliver();
  expect(await exported('ann')).toEqual({});
});
