/** Profiles through the API: what they say, who finds them, and what a block hides. */
import type { CommandStartedEvent } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { people, present } from '../../../src/models/social/network/person.js';
import { newPerson } from '../../../src/models/social/network/profile.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { upload } from '../../system/assets/asset-client.js';
import { noise } from '../../system/assets/picture-support.js';
import { type Edges, type Member, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;

const VIEW = `id name about place interests picture { id } joinedAt followerCount followingCount
  myCircles { name } followsMe blockedByMe`;
const SAVE = `mutation ($input: ProfileInput!) { saveProfile(input: $input) { ${VIEW} } }`;
const PROFILE = `query ($userId: ID) { profile(userId: $userId) { ${VIEW} } }`;
const FIND = `query ($namePrefix: String!, $first: Int, $after: String) {
  findProfiles(namePrefix: $namePrefix, first: $first, after: $after) {
    edges { cursor node { id name } } pageInfo { hasNextPage endCursor }
  }
}`;

const profileOf = async (person: Member, by: Member | null) =>
  (await api.ask<{ profile: Record<string, unknown> | null }>(PROFILE, { userId: person.id }, by)).profile;

async function find(namePrefix: string, by: Member, first = 20): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | null = null; ; ) {
    const { findProfiles }: { findProfiles: Edges<{ name: string }> } = await api.ask(
      FIND,
      { namePrefix, first, after },
      by,
    );
    names.push(...findProfiles.edges.map(({ node }) => node.name));
    if (!findProfiles.pageInfo.hasNextPage) return names;
    after = findProfiles.pageInfo.endCursor;
  }
}

beforeAll(() => {
  api = new SocialApi(database, server);
});

describe('a profile', () => {
  it('is saved by joining, changed by saving again, and what is omitted becomes empty', async () => {
    const ann = await api.account('ann');
    expect(await profileOf(ann, ann)).toBeNull();
    const input = { about: ' Sails\nfar ', place: ' Kiel ', interests: ['charts', ' charts ', 'wind'] };
    const { saveProfile } = await api.ask<{ saveProfile: { joinedAt: string } }>(SAVE, { input }, ann);
    const expected = {
      id: ann.id,
      name: 'ann',
      about: 'Sails\nfar',
      place: 'Kiel',
      interests: ['charts', 'wind'],
      picture: null,
      joinedAt: expect.any(String),
      followerCount: 0,
      followingCount: 0,
      myCircles: [],
      followsMe: false,
      blockedByMe: false,
    };
    expect(saveProfile).toEqual(expected);
    expect(await profileOf(ann, null)).toEqual(expected);
    const again = await api.ask(SAVE, { input: { place: 'Rostock' } }, ann);
    const { joinedAt } = saveProfile;
    expect(again).toEqual({ saveProfile: { ...expected, joinedAt, about: '', place: 'Rostock', interests: [] } });
  });

  it.each([
    ['input.about', { about: 'a'.repeat(1001) }, 'must have at most 1000 characters'],
    ['input.about', { about: 'a\u0000' }, 'must not have the hidden character U+0000, which is at position 2'],
    ['input.about', { about: '\u0007' }, 'must not have the hidden character U+0007, which is at position 1'],
    ['input.about', { about: 'a\nb\u202ec' }, 'must not have the hidden character U+202E, which is at position 4'],
    ['input.place', { place: 'p'.repeat(101) }, 'must have 1 to 100 characters'],
    ['input.interests', { interests: Array.from({ length: 21 }, (_, at) => `i${at}`) }, 'must have at most 20 entries'],
    ['input.interests.1', { interests: ['a', ' '] }, 'must have 1 to 50 characters'],
    ['input.interests.0', { interests: ['i'.repeat(51)] }, 'must have 1 to 50 characters'],
    ['input.pictureId', { pictureId: 'none' }, expect.any(String)],
  ])('refuses %s and changes nothing', async (field, input, rule) => {
    const { ann } = await api.members('ann');
    const before = await people(database.db).findOne({ _id: ann.account });
    expect(await api.failure(SAVE, { input }, ann)).toMatchObject({ code: 'BAD_USER_INPUT', field, rule });
    expect(await people(database.db).findOne({ _id: ann.account })).toEqual(before);
  });

  it('is not for visitors to save, and they have none', async () => {
    expect(await api.failure(SAVE, { input: {} }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await api.ask('{ profile { id } }', {}, null)).toEqual({ profile: null });
  });

  it('shows only a picture that the person has uploaded', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    const jpeg = await noise().jpeg().toBuffer();
    const pictureId = (await upload(server, ann.token, jpeg)).data?.uploadPicture.id;
    const failure = await api.failure(SAVE, { input: { pictureId } }, ben);
    expect(failure).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.pictureId' });
    expect(await api.failure(SAVE, { input: { pictureId: ann.id } }, ann)).toEqual(failure);
    expect(await profileOf(ben, ben)).toMatchObject({ picture: null });
    await api.ask(SAVE, { input: { pictureId } }, ann);
    expect(await profileOf(ann, ben)).toMatchObject({ picture: { id: pictureId } });
    expect(await api.failure(SAVE, { input: { pictureId } }, ben)).toEqual(failure); // now that it is in use, too
    expect(await api.ask(SAVE, { input: { pictureId } }, ann)).toMatchObject({
      saveProfile: { picture: { id: pictureId } },
    });
    expect(await api.ask(SAVE, { input: {} }, ann)).toMatchObject({ saveProfile: { picture: null } });
  });

  it('tells the viewer of circles only what is the viewer’s own', async () => {
    const { ann, ben, cid } = await api.members('ann', 'ben', 'cid');
    await api.circle(ann, 'Crew', ben);
    await api.circle(ann, 'All', ben);
    expect(await profileOf(ben, ann)).toMatchObject({
      followerCount: 1,
      followsMe: false,
      myCircles: [{ name: 'All' }, { name: 'Crew' }],
    });
    expect(await profileOf(ann, ben)).toMatchObject({ followingCount: 1, followsMe: true, myCircles: [] });
    for (const by of [cid, null]) expect(await profileOf(ben, by)).toMatchObject({ followsMe: false, myCircles: [] });
  });
});

describe('people are found', () => {
  beforeAll(async () => {
    for (const name of ['Björk A', 'bjork b', 'BJÖRK C', 'Bjarne', 'Björk.* D']) await api.member(name);
  });

  it('by the beginning of their names, without regard to case and accents, sorted by name', async () => {
    const eva = await api.member('eva');
    const expected = ['Björk A', 'bjork b', 'BJÖRK C', 'Björk.* D'];
    for (const prefix of ['bjork', 'BJÖRK', 'björk ', 'bjork'.normalize('NFD')])
      expect(await find(prefix, eva)).toEqual(
        prefix === 'björk ' ? expect.arrayContaining(expected.slice(0, 3)) : expected,
      );
    expect(await find('björk.*', eva)).toEqual(['Björk.* D']);
    expect(await find('.*', eva)).toEqual([]);
  });

  it('all of them if the beginning is blank, page by page', async () => {
    const { fay } = await api.members('fay');
    const all = await find(' ', fay, 50);
    expect(all).toEqual(expect.arrayContaining(['Bjarne', 'bjork b', fay.name]));
    expect(all).toHaveLength(await people(database.db).countDocuments(present));
    expect(await find('', fay, 3)).toEqual(all);
  });

  it('page by page, none twice and none left out, and pages are full over a block', async () => {
    const { fay } = await api.members('fay');
    const hidden = await api.member('Bjork Aa');
    await api.block(hidden, fay);
    expect(await find('bj', fay, 1)).toEqual(['Bjarne', 'Björk A', 'bjork b', 'BJÖRK C', 'Björk.* D']);
    const page = await api.ask<{ findProfiles: Edges<object> }>(FIND, { namePrefix: 'bj', first: 4 }, fay);
    expect(page.findProfiles.edges).toHaveLength(4);
  });

  it('after any number who are left out: a page may be short, and has a cursor to continue with', async () => {
    const { fay } = await api.members('fay');
    const last = await api.member('Namesake z');
    const blocker = [{ id: fay.account, at: new Date() }];
    const others = Array.from({ length: 900 }, (_, at) => ({
      _id: `namesake-${at}`,
      name: 'Namesake a',
      name_key: 'namesake a',
      about: '',
      place: '',
      interests: [],
      ...newPerson(new Date()),
      blocked: blocker,
    }));
    await people(database.db).insertMany(others);
    const { findProfiles } = await api.ask<{ findProfiles: Edges<object> }>(
      FIND,
      { namePrefix: 'namesake', first: 1 },
      fay,
    );
    expect(findProfiles).toEqual({ edges: [], pageInfo: { hasNextPage: true, endCursor: expect.any(String) } });
    expect(await find('namesake', fay, 1)).toEqual([last.name]);
    await people(database.db).deleteMany({ name_key: 'namesake a' });
  });

  it('with the viewer’s circles, whose document is read once for all of them', async () => {
    const { gus } = await api.members('gus');
    const circle = await api.circle(gus, 'Crew');
    for (let at = 0; at < 5; at += 1) await api.addToCircle(gus, circle, await api.member(`Sailor ${at}`));
    await api.post(gus, 'For the crew', { audience: 'CIRCLES', circleIds: [circle] });
    await api.post(gus, 'For the crew again', { audience: 'CIRCLES', circleIds: [circle] });
    const query = `{ findProfiles(namePrefix: "sailor") { edges { node { myCircles { name memberCount } } } } }`;
    const WALL = 'query ($id: ID!) { wall(userId: $id) { edges { node { circles { name memberCount } } } } }';
    let reads = 0;
    const count = ({ commandName, command }: CommandStartedEvent) => {
      const isWhole = JSON.stringify(command.projection ?? {}) === '{"circles":1,"following":1}';
      if (commandName === 'find' && command.find === people.collectionName && isWhole) reads += 1;
    };
    const { client } = server.services.db;
    client.on('commandStarted', count);
    const crew = [{ name: 'Crew', memberCount: 5 }];
    expect(await api.ask(query, {}, gus)).toEqual({
      findProfiles: { edges: Array(5).fill({ node: { myCircles: crew } }) },
    });
    expect(await api.ask(WALL, { id: gus.id }, gus)).toEqual({
      wall: { edges: Array(2).fill({ node: { circles: crew } }) },
    });
    client.off('commandStarted', count);
    expect(reads).toBe(2);
    await api.delivered();
  });

  it('not by 101 characters', async () => {
    const { gil } = await api.members('gil');
    expect(await api.failure(FIND, { namePrefix: 'a'.repeat(101) }, gil)).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'namePrefix',
    });
  });

  it('not in pages of 51, nor by visitors', async () => {
    const hal = await api.member('hal');
    expect(await api.failure(FIND, { namePrefix: 'a', first: 51 }, hal)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await api.failure(FIND, { namePrefix: 'a' }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('a block', () => {
  it('hides each from the other, wherever a profile is shown, until it is removed', async () => {
    const { ann, ben } = await api
      .members('blocker', 'blocked')
      .then(({ blocker, blocked }) => ({ ann: blocker, ben: blocked }));
    const mine = await api.circle(ann, 'Mine', ben);
    await api.circle(ben, 'His', ann);
    const postOf = { ann: await api.post(ann, 'By ann'), ben: await api.post(ben, 'By ben') };
    const { cid } = await api.members('cid');
    const circle = await api.circle(cid, 'Both', ann, ben);
    const AUTHORS = `query ($id: ID!) { node(id: $id) { ... on Circle { members { edges { node { name profile { id } } } } } } }`;
    expect(await api.block(ann, ben)).toBe('Profile');
    expect(await api.block(ann, ben)).toBe('Profile');
    for (const [one, other] of [
      [ann, ben],
      [ben, ann],
    ] as const) {
      expect(await profileOf(one, other)).toBeNull();
      expect(await find(one.name, other)).toEqual([]);
      expect(await api.ask('{ circles { memberCount } }', {}, other)).toEqual({ circles: [{ memberCount: 0 }] });
    }
    // A post of somebody else names both as authors of comments: without their profiles.
    const third = await api.post(cid, 'By cid');
    await api.comment(ann, third, 'Ann was here');
    expect(
      await api.ask(
        'query ($id: ID!) { post(id: $id) { commentCount discussion { edges { node { text } } } } }',
        { id: third },
        ben,
      ),
    ).toMatchObject({ post: { discussion: { edges: [] } } });
    expect(await api.ask(AUTHORS, { id: circle }, cid)).toMatchObject({
      node: { members: { edges: [{ node: { profile: { id: ann.id } } }, { node: { profile: { id: ben.id } } }] } },
    });
    expect(await api.ask('{ blockedPeople { id profile { id } } }', {}, ann)).toEqual({
      blockedPeople: [{ id: ben.id, profile: null }],
    });
    expect(await api.ask('{ blockedPeople { id } }', {}, ben)).toEqual({ blockedPeople: [] });
    expect(await api.addToCircle(ann, mine, ben)).toBe('ProfileNotFound');
    expect(await api.ask('query ($id: ID!) { post(id: $id) { id } }', { id: postOf.ann }, ben)).toEqual({ post: null });
    expect(await api.ask('query ($id: ID!) { post(id: $id) { id } }', { id: postOf.ben }, ann)).toEqual({ post: null });
    await api.unblock(ann, ben);
    expect(await profileOf(ann, ben)).toMatchObject({ followsMe: false, followerCount: 1 });
    expect(await profileOf(ben, ann)).toMatchObject({ myCircles: [], blockedByMe: false });
    await api.delivered();
  });

  it('is told to whom it was asked for, and of both the one who was blocked sees nothing', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    const BLOCK =
      'mutation ($userId: ID!) { blockPerson(userId: $userId) { __typename ... on Profile { id blockedByMe } } }';
    expect(await api.ask(BLOCK, { userId: ben.id }, ann)).toEqual({
      blockPerson: { __typename: 'Profile', id: ben.id, blockedByMe: true },
    });
    // Back, blocked by both: nothing of the profile of whoever has blocked the viewer.
    expect(await api.ask(BLOCK, { userId: ann.id }, ben)).toEqual({ blockPerson: { __typename: 'ProfileNotFound' } });
  });

  it('of oneself, of nobody, and by somebody who has not joined is refused, and changes nothing', async () => {
    const ann = await api.member('alone');
    const nobody = await api.account('outside');
    const before = await people(database.db).findOne({ _id: ann.account });
    const BLOCK =
      'mutation ($userId: ID!) { blockPerson(userId: $userId) { __typename ... on ProfileNotFound { message } } }';
    for (const [by, { id }, message] of [
      [ann, ann, 'You cannot block yourself'],
      [ann, nobody, 'Nobody in the network has this id, or one of you has blocked the other'],
      [nobody, ann, 'You have not joined the network yet: save your profile first'],
    ] as const)
      expect(await api.ask(BLOCK, { userId: id }, by)).toEqual({
        blockPerson: { __typename: 'ProfileNotFound', message },
      });
    expect(await people(database.db).findOne({ _id: ann.account })).toEqual(before);
  });

  it('is refused once 1,000 people are blocked', async () => {
    const { ann, ben } = await api.members('ann', 'ben');
    const blocked = Array.from({ length: 1000 }, (_, at) => ({ id: `full${at}`, at: new Date() }));
    await people(database.db).updateOne({ _id: ann.account }, { $set: { blocked } });
    expect(await api.block(ann, ben)).toBe('BlocksFull');
    expect(await profileOf(ben, ann)).not.toBeNull();
    await people(database.db).updateOne({ _id: ann.account }, { $set: { blocked: [] } });
  });
});

describe('followers', () => {
  it('are listed for the person only, the latest first, page by page', async () => {
    const star = await api.member('star');
    const fans: Member[] = [];
    for (let at = 0; at < 7; at += 1) {
      const fan = await api.member(`fan${at}`);
      await api.circle(fan, 'Stars', star);
      fans.unshift(fan);
    }
    const FOLLOWERS = `query ($first: Int, $after: String) { followers(first: $first, after: $after) {
      edges { cursor node { id profile { followsMe } } } pageInfo { hasNextPage endCursor }
    } }`;
    const listed: unknown[] = [];
    let pages = 0;
    for (let after: string | null = null; ; ) {
      const { followers }: { followers: Edges<{ id: string }> } = await api.ask(FOLLOWERS, { first: 3, after }, star);
      listed.push(...followers.edges.map(({ node }) => node));
      pages += 1;
      if (!followers.pageInfo.hasNextPage) break;
      after = followers.pageInfo.endCursor;
    }
    expect(listed).toEqual(fans.map(({ id }) => ({ id, profile: { followsMe: true } })));
    expect(pages).toBe(3);
    expect(await api.failure(FOLLOWERS, { first: 101 }, star)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await api.failure(FOLLOWERS, { after: 'forged' }, star)).toMatchObject({ code: 'BAD_CURSOR' });
  });
});
