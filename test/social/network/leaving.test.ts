/** Somebody whose account was deleted: gone from the network with the answer, long before everything is erased. */
import { beforeAll, expect, it } from 'vitest';
import { people } from '../../../src/models/social/network/person.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Edges, type Member, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;
let admin: Member;

beforeAll(async () => {
  api = new SocialApi(database, server);
  admin = await api.member('an-admin', 'ADMIN');
  for (let at = 0; at < 50; at += 1) await api.member(`other${at}`);
});

const POST = 'query ($id: ID!) { post(id: $id) { text } }';
const PROFILE = 'query ($id: ID!) { profile(userId: $id) { name } }';
const FIND = 'query ($name: String!) { findProfiles(namePrefix: $name) { edges { node { name } } } }';
const DELETE = 'mutation ($id: ID!) { deleteUser(userId: $id) { __typename } }';

it('a deleted account is gone with the answer: its profile, its posts and its wall, on which nobody writes any more', async () => {
  const { gone, guest, reader } = await api.members('gone', 'guest', 'reader');
  await api.circle(reader, 'Friends', gone);
  const own = await api.post(gone, 'Own');
  const onOther = await api.post(gone, 'On the wall of another', { audience: 'PUBLIC', onWallOf: reader.id });
  const byGuest = await api.post(guest, 'By a guest', { audience: 'PUBLIC', onWallOf: gone.id });
  await api.delivered();
  expect(await api.ask(DELETE, { id: gone.id }, admin)).toEqual({ deleteUser: { __typename: 'UserDeleted' } });

  for (const by of [reader, null]) {
    expect(await api.ask(PROFILE, { id: gone.id }, by)).toEqual({ profile: null });
    for (const id of [own, onOther, byGuest]) expect(await api.ask(POST, { id }, by)).toEqual({ post: null });
    expect(await api.texts(`wall(userId: "${gone.id}")`, by)).toEqual([]);
    expect(await api.texts(`wall(userId: "${reader.id}")`, by)).toEqual([]);
  }
  expect(await api.texts('news', reader)).toEqual([]);
  expect(await api.texts('incoming', reader)).toEqual([]);
  expect(await api.ask(FIND, { name: gone.name }, reader)).toEqual({ findProfiles: { edges: [] } });
  for (const id of [own, onOther])
    expect((await api.comment(guest, id, 'Late')).__typename).toBe('CommentableNotFound');
  const late = { text: 'Late', audience: 'PUBLIC', onWallOf: gone.id };
  expect((await api.publish(guest, late)).__typename).toBe('ProfileNotFound');
  expect(await api.block(guest, gone)).toBe('ProfileNotFound');
  const circle = await api.circle(guest, 'Late');
  expect(await api.addToCircle(guest, circle, gone)).toBe('ProfileNotFound');

  // All of it is still there to be erased.
  expect(await people(database.db).countDocuments({ _id: gone.account })).toBe(1);
  expect(await posts(database.db).countDocuments({ author_id: gone.account, live: true })).toBe(2);
});

it('a deleted account is in no list of people with the answer, and pages stay full', async () => {
  const { first, gone, second, third } = await api.members('first', 'gone', 'second', 'third');
  const { owner } = await api.members('owner');
  const circle = await api.circle(owner, 'Friends', first, gone, second, third);
  for (const follower of [first, gone, second, third]) await api.circle(follower, 'Friends', owner);
  const { blocker } = await api.members('blocker');
  for (const blocked of [gone, first]) await api.block(blocker, blocked);
  await api.ask(DELETE, { id: gone.id }, admin);
  const namesOf = ({ edges }: Edges<{ name: string }>) => edges.map(({ node }) => node.name);
  type Lists = {
    followers: Edges<{ name: string }>;
    circles: { memberCount: number; members: Edges<{ name: string }> }[];
    audiencePreview: { readers: number };
  };
  const LISTS = `query ($first: Int!, $circles: [ID!]!) {
    followers(first: $first) { edges { cursor node { name } } pageInfo { hasNextPage endCursor } }
    circles { memberCount members(first: $first) { edges { node { name } } pageInfo { hasNextPage } } }
    audiencePreview(audience: CIRCLES, circleIds: $circles) { readers }
  }`;
  const read = (size: number) => api.ask<Lists>(LISTS, { first: size, circles: [circle] }, owner);
  const { followers, circles, audiencePreview } = await read(2);
  expect(namesOf(followers)).toEqual([third.name, second.name]);
  expect(followers.pageInfo.hasNextPage).toBe(true);
  expect(circles.map(({ memberCount, members }) => [memberCount, namesOf(members)])).toEqual([
    [3, [first.name, second.name]],
  ]);
  expect(audiencePreview.readers).toBe(3);
  const all = await read(3);
  expect(namesOf(all.followers)).toEqual([third.name, second.name, first.name]);
  expect(all.followers.pageInfo.hasNextPage).toBe(false);
  expect(await api.ask('{ blockedPeople { name } }', {}, blocker)).toEqual({ blockedPeople: [{ name: first.name }] });
});
