/** Circles through the API: what is refused changes nothing, and nobody else reads them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { findPersonViolations } from '../../../src/models/social/invariants.js';
import { people } from '../../../src/models/social/network/person.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Edges, type Member, type Outcome, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;
let ann: Member;
let ben: Member;
let crew: string;

beforeAll(async () => {
  api = new SocialApi(database, server);
  ({ ann, ben } = await api.members('ann', 'ben'));
  crew = await api.circle(ann, 'Crew', ben);
});

const VIEW = 'id name memberCount members { edges { node { id } } }';
const CREATE = `mutation ($name: String!) { createCircle(name: $name) {
  __typename ... on Circle { ${VIEW} } ... on CircleNameTaken { circle { id name } }
} }`;
const RENAME = `mutation ($id: ID!, $name: String!) { renameCircle(id: $id, name: $name) {
  __typename ... on Circle { ${VIEW} } ... on CircleNameTaken { circle { id name } }
} }`;
const DELETE = 'mutation ($id: ID!) { deleteCircle(id: $id) { __typename ... on DeletedCircle { id } } }';
const ADD = `mutation ($circleId: ID!, $userId: ID!) { addToCircle(circleId: $circleId, userId: $userId) {
  __typename ... on Circle { ${VIEW} }
} }`;
const REMOVE = `mutation ($circleId: ID!, $userId: ID!) { removeFromCircle(circleId: $circleId, userId: $userId) {
  __typename ... on Circle { ${VIEW} }
} }`;

const stored = () => people(database.db).find({}).sort({ _id: 1 }).toArray();
const typeOf = async (query: string, variables: object, by: Member): Promise<string> =>
  Object.values(await api.ask<Record<string, Outcome>>(query, { ...variables }, by))[0]?.__typename ?? '';

describe('circles', () => {
  it('whose names differ only in the form of their characters are the same', async () => {
    const [composed, apart] = ['Caf\u00e9', 'Cafe\u0301'];
    const { createCircle: circle } = await api.ask<{ createCircle: Outcome }>(CREATE, { name: apart }, ann);
    expect(circle).toMatchObject({ __typename: 'Circle', name: composed });
    expect(await typeOf(CREATE, { name: composed }, ann)).toBe('CircleNameTaken');
    const other = await api.circle(ann, 'Bar');
    expect(await typeOf(RENAME, { id: other, name: apart }, ann)).toBe('CircleNameTaken');
    await api.ask(DELETE, { id: circle.id }, ann);
    await api.ask(DELETE, { id: other }, ann);
  });

  it.each(['a.b', '$where', 'a.$[].b', '__proto__', 'constructor', '0', 'Frères & sœurs', '👩‍👩‍👧'])(
    'may be named %s',
    async (name) => {
      const { createCircle: circle } = await api.ask<{ createCircle: Outcome }>(CREATE, { name }, ann);
      expect(circle).toMatchObject({ __typename: 'Circle', name, memberCount: 0 });
      expect(await api.ask(CREATE, { name }, ann)).toEqual({
        createCircle: { __typename: 'CircleNameTaken', circle: { id: circle.id, name } },
      });
      expect(await api.addToCircle(ann, circle.id, ben)).toBe('Circle');
      expect(
        await api.ask(
          'query ($id: ID!) { node(id: $id) { ... on Circle { name memberCount } } }',
          { id: circle.id },
          ann,
        ),
      ).toEqual({
        node: { name, memberCount: 1 },
      });
      expect(await typeOf(DELETE, { id: circle.id }, ann)).toBe('DeletedCircle');
    },
  );

  it('are listed by name, with their people in the order in which these were first added', async () => {
    const { eva, fay, gil } = await api.members('eva', 'fay', 'gil');
    await api.circle(eva, 'Two', gil, fay);
    await api.circle(eva, 'One', fay, gil);
    const names = await api.ask<{ circles: { name: string; members: Edges<{ id: string }> }[] }>(
      '{ circles { name members { edges { node { id } } } } }',
      {},
      eva,
    );
    const members = { edges: [{ node: { id: gil.id } }, { node: { id: fay.id } }] };
    expect(names.circles).toEqual([
      { name: 'One', members },
      { name: 'Two', members },
    ]);
  });

  it('are listed regardless of case, and numbers by their value', async () => {
    const { ida } = await api.members('ida');
    for (const name of ['Year 10', 'crew', 'Year 9', 'Boats', 'Élan', 'family']) await api.circle(ida, name);
    const { circles } = await api.ask<{ circles: { name: string }[] }>('{ circles { name } }', {}, ida);
    expect(circles.map(({ name }) => name)).toEqual(['Boats', 'crew', 'Élan', 'family', 'Year 9', 'Year 10']);
  });

  it('have pages of people, none twice', async () => {
    const owner = await api.member('owner');
    const friends = await api.members('m1', 'm2', 'm3');
    const id = await api.circle(owner, 'Paged', ...Object.values(friends));
    const query = `query ($id: ID!, $after: String) { node(id: $id) { ... on Circle {
      members(first: 2, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }
    } } }`;
    const one = await api.ask<{ node: { members: Edges<object> } }>(query, { id }, owner);
    expect(one.node.members).toMatchObject({
      edges: [{ node: { id: friends.m1.id } }, { node: { id: friends.m2.id } }],
      pageInfo: { hasNextPage: true },
    });
    const after = one.node.members.pageInfo.endCursor;
    expect(await api.ask(query, { id, after }, owner)).toMatchObject({
      node: { members: { edges: [{ node: { id: friends.m3.id } }], pageInfo: { hasNextPage: false } } },
    });
  });

  it('go on after the last person of a page, who has left since', async () => {
    const { owner } = await api.members('owner');
    const friends = Object.values(await api.members('p0', 'p1', 'p2', 'p3', 'p4'));
    const id = await api.circle(owner, 'Left', ...friends);
    const query = `query ($id: ID!, $after: String) { node(id: $id) { ... on Circle {
      members(first: 3, after: $after) { edges { node { id } } pageInfo { endCursor } }
    } } }`;
    const page = async (after?: string | null) =>
      (await api.ask<{ node: { members: Edges<{ id: string }> } }>(query, { id, after }, owner)).node.members;
    const { edges, pageInfo } = await page();
    for (const at of [0, 2]) await api.removeFromCircle(owner, id, friends[at] as Member);
    const rest = await page(pageInfo.endCursor);
    expect([...edges, ...rest.edges].map(({ node }) => node.id)).toEqual(friends.map((friend) => friend.id));
  });

  it('keep their id and their people under a new name', async () => {
    const hal = await api.member('hal');
    const id = await api.circle(hal, 'Before', ben);
    expect(await api.ask(RENAME, { id, name: 'After.$' }, hal)).toEqual({
      renameCircle: {
        __typename: 'Circle',
        id,
        name: 'After.$',
        memberCount: 1,
        members: { edges: [{ node: { id: ben.id } }] },
      },
    });
    expect(await typeOf(RENAME, { id, name: 'After.$' }, hal)).toBe('Circle');
  });

  it('take and lose a person once, however often it is sent', async () => {
    const { ida, joe } = await api.members('ida', 'joe');
    const id = await api.circle(ida, 'Repeated');
    const added = await api.ask(ADD, { circleId: id, userId: joe.id }, ida);
    expect(added).toMatchObject({ addToCircle: { memberCount: 1 } });
    expect(await api.ask(ADD, { circleId: id, userId: joe.id }, ida)).toEqual(added);
    const removed = await api.ask(REMOVE, { circleId: id, userId: joe.id }, ida);
    expect(removed).toMatchObject({ removeFromCircle: { memberCount: 0 } });
    expect(await api.ask(REMOVE, { circleId: id, userId: joe.id }, ida)).toEqual(removed);
    expect(await people(database.db).findOne({ _id: joe.account })).toMatchObject({ follower_count: 0 });
  });

  it('are added to by many requests at once, each person counted once', async () => {
    const { kim, lee } = await api.members('kim', 'lee');
    const id = await api.circle(kim, 'At once');
    const types = await Promise.all(Array.from({ length: 6 }, () => api.addToCircle(kim, id, lee)));
    expect(new Set(types)).toEqual(new Set(['Circle']));
    expect(await people(database.db).findOne({ _id: lee.account })).toMatchObject({ follower_count: 1 });
    const found = [];
    for await (const violation of findPersonViolations(database.db, async () => undefined)) found.push(violation);
    expect(found).toEqual([]);
  });
});

describe('refused, with nothing changed:', () => {
  let outside: Member;
  let blocker: Member;
  let other: string;

  beforeAll(async () => {
    outside = await api.account('outside');
    blocker = await api.member('blocker');
    await api.block(blocker, ann);
    other = await api.circle(ann, 'Other');
    await api.delivered();
  });

  const unknown = () => toGlobalId('Circle', `${ann.account}/none`);

  it.each<[string, string, () => object, () => Member, string]>([
    ['a circle of somebody who has not joined', CREATE, () => ({ name: 'A' }), () => outside, 'ProfileNotFound'],
    ['a second circle of the same name', CREATE, () => ({ name: ' Crew ' }), () => ann, 'CircleNameTaken'],
    ['a name of another circle', RENAME, () => ({ id: other, name: 'Crew' }), () => ann, 'CircleNameTaken'],
    ['a name for no circle', RENAME, () => ({ id: unknown(), name: 'A' }), () => ann, 'CircleNotFound'],
    ['a name for another type', RENAME, () => ({ id: ann.id, name: 'A' }), () => ann, 'CircleNotFound'],
    ['a name for a circle of somebody else', RENAME, () => ({ id: crew, name: 'A' }), () => ben, 'CircleNotFound'],
    ['deleting a circle of somebody else', DELETE, () => ({ id: crew }), () => ben, 'CircleNotFound'],
    ['deleting no circle', DELETE, () => ({ id: unknown() }), () => ann, 'CircleNotFound'],
    [
      'somebody in a circle of somebody else',
      ADD,
      () => ({ circleId: crew, userId: ann.id }),
      () => ben,
      'CircleNotFound',
    ],
    ['somebody in no circle', ADD, () => ({ circleId: unknown(), userId: ben.id }), () => ann, 'CircleNotFound'],
    ['oneself in a circle', ADD, () => ({ circleId: crew, userId: ann.id }), () => ann, 'ProfileNotFound'],
    [
      'an account that has not joined',
      ADD,
      () => ({ circleId: crew, userId: outside.id }),
      () => ann,
      'ProfileNotFound',
    ],
    ['nobody', ADD, () => ({ circleId: crew, userId: 'none' }), () => ann, 'ProfileNotFound'],
    ['who has blocked the owner', ADD, () => ({ circleId: crew, userId: blocker.id }), () => ann, 'ProfileNotFound'],
    [
      'removal from a circle of somebody else',
      REMOVE,
      () => ({ circleId: crew, userId: ben.id }),
      () => ben,
      'CircleNotFound',
    ],
    ['removal from no circle', REMOVE, () => ({ circleId: unknown(), userId: ben.id }), () => ann, 'CircleNotFound'],
  ])('%s', async (_what, query, variables, by, type) => {
    const before = await stored();
    expect(await typeOf(query, variables(), by())).toBe(type);
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['no character', ' '],
    ['51 characters', 'a'.repeat(51)],
    ['a direction control', 'a\u202eb'],
    ['only a joiner', '\u200d'],
  ])('a name of %s', async (_what, name) => {
    const before = await stored();
    expect(await api.failure(CREATE, { name }, ann)).toMatchObject({ code: 'BAD_USER_INPUT', field: 'name' });
    expect(await api.failure(RENAME, { id: crew, name }, ann)).toMatchObject({ code: 'BAD_USER_INPUT', field: 'name' });
    expect(await stored()).toEqual(before);
  });

  it('the 101st circle, and the 5,001st person', async () => {
    const full = await api.member('full');
    const circles = Array.from({ length: 100 }, (_, at) => ({ id: `c${at}`, name: `Circle ${at}` }));
    const following = Array.from({ length: 5000 }, (_, at) => ({
      id: `f${at}`,
      circles: ['c0'],
      since: new Date(),
      page: 1,
    }));
    await people(database.db).updateOne({ _id: full.account }, { $set: { circles, following } });
    const before = await stored();
    expect(await typeOf(CREATE, { name: 'One more' }, full)).toBe('CirclesFull');
    expect(await typeOf(CREATE, { name: 'Circle 7' }, full)).toBe('CircleNameTaken');
    const circleId = toGlobalId('Circle', `${full.account}/c0`);
    expect(await typeOf(ADD, { circleId, userId: ben.id }, full)).toBe('CirclesFull');
    expect(await stored()).toEqual(before);
    await people(database.db).updateOne({ _id: full.account }, { $set: { circles: [], following: [] } });
  });
});

describe('a circle of somebody else', () => {
  it('is read by nobody, not even an administrator or those who are in it', async () => {
    const query = 'query ($id: ID!) { node(id: $id) { __typename id } }';
    expect(await api.ask(query, { id: crew }, ann)).toEqual({ node: { __typename: 'Circle', id: crew } });
    for (const by of [ben, { token: server.token }, null])
      expect(await api.ask(query, { id: crew }, by)).toEqual({ node: null });
    // The same circle under the name of another owner.
    const own = toGlobalId('Circle', `${ben.account}/${Buffer.from(crew, 'base64url').toString().split('/')[1]}`);
    expect(await api.ask(query, { id: own }, ben)).toEqual({ node: null });
  });

  it('shares nothing, and previews nobody', async () => {
    expect(await api.publish(ben, { text: 'Mine', audience: 'CIRCLES', circleIds: [crew] })).toEqual({
      __typename: 'CircleNotFound',
    });
    const preview = 'query ($ids: [ID!]!) { audiencePreview(audience: CIRCLES, circleIds: $ids) { readers } }';
    expect(await api.failure(preview, { ids: [crew] }, ben)).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'circleIds',
    });
    expect(await api.ask(preview, { ids: [crew] }, ann)).toEqual({ audiencePreview: { readers: 1 } });
  });
});
