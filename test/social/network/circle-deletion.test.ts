/** Large circles are deleted while others change who follows the people in them. */
import type { Db, FindOptions } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { findPersonViolations } from '../../../src/models/social/invariants.js';
import { blockPerson } from '../../../src/models/social/network/block.js';
import { deleteCircle } from '../../../src/models/social/network/circle-deletion.js';
import { followerPages } from '../../../src/models/social/network/follower.js';
import { addToCircle } from '../../../src/models/social/network/following.js';
import { findPerson, people } from '../../../src/models/social/network/person.js';
import { useDatabase } from '../../support/database.js';
import { Network } from '../social-support.js';
import { storeMembers } from '../stored-people.js';

const database = useDatabase();
const MEMBERS = 300; // two transactions
const FANS = ['one', 'two', 'three', 'four'];
let network: Network;
let members: readonly string[];

beforeEach(async () => {
  for (const collection of [people, followerPages]) await collection(database.db).deleteMany({});
  network = new Network(database.db);
  await network.join('owner', ...FANS);
  members = await storeMembers(database.db, 'owner', ['crew', 'family'], MEMBERS);
});

const remove = (circle: string) => deleteCircle(database.db, 'owner', circle, network.now());
const expectConsistent = async () => {
  for await (const violation of findPersonViolations(database.db, async () => undefined))
    expect(violation).toBeUndefined();
};

/** Each fan adds those of the circle, from another place on, until the work has ended. @returns how many were added */
async function followWhile(work: Promise<unknown>, whom: readonly string[]): Promise<number> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  void work.then(end, end);
  const follow = async (owner: string, from: number): Promise<number> => {
    const circle = await network.circle(owner, 'Stars');
    for (let at = 0; at < whom.length; at += 1) {
      if (hasEnded) return at;
      const person = whom[(from + at) % whom.length] ?? '';
      await addToCircle(database.db, { owner, circle, person }, network.now());
    }
    return whom.length;
  };
  const counts = await Promise.all(FANS.map((fan, at) => follow(fan, (at * whom.length) / FANS.length)));
  await work;
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('a circle of hundreds', () => {
  it('is deleted with its people, who stay in another circle of theirs and leave with that', async () => {
    expect(await remove('crew')).toEqual({ _id: 'crew' });
    expect(await findPerson(database.db, 'owner')).toMatchObject({ circles: [{ id: 'family' }] });
    expect((await findPerson(database.db, 'owner'))?.following).toHaveLength(MEMBERS);
    expect(await remove('family')).toEqual({ _id: 'family' });
    expect(await findPerson(database.db, 'owner')).toMatchObject({ circles: [], following: [] });
    expect(await people(database.db).countDocuments({ follower_count: { $ne: 0 } })).toBe(0);
    expect(await remove('family')).toMatchObject({ __typename: 'CircleNotFound' });
    await expectConsistent();
  });

  it('is deleted while others follow its people', async () => {
    await remove('crew');
    const added = await followWhile(remove('family'), members);
    expect(added).toBeGreaterThan(0);
    const counts = await people(database.db)
      .find({ follower_count: { $gt: 0 } })
      .toArray();
    expect(counts.reduce((sum, { follower_count }) => sum + follower_count, 0)).toBe(added);
    expect(await findPerson(database.db, 'owner')).toMatchObject({ circles: [], following: [] });
    await expectConsistent();
  });

  it('is deleted twice at once, while its owner blocks some, and is added to', async () => {
    const blocked = members.slice(0, 3);
    const [first, second] = await Promise.all([
      remove('crew'),
      remove('crew'),
      ...blocked.map((person) => blockPerson(database.db, 'owner', person, network.now())),
      ...FANS.map((person) => addToCircle(database.db, { owner: 'owner', circle: 'crew', person }, network.now())),
    ]);
    expect(first).toEqual({ _id: 'crew' });
    expect(second).toEqual({ _id: 'crew' });
    const owner = await findPerson(database.db, 'owner');
    expect(owner).toMatchObject({ circles: [{ id: 'family' }] });
    expect(owner?.following).toHaveLength(MEMBERS - blocked.length);
    await expectConsistent();
  });
});

describe('blocks', () => {
  it('of one person by many at once, who follow it, all are stored', async () => {
    const [star = ''] = members;
    for (const fan of FANS) await network.follow(fan, star);
    await Promise.all(FANS.map((fan) => blockPerson(database.db, fan, star, network.now())));
    for (const fan of FANS)
      expect(await findPerson(database.db, fan)).toMatchObject({ following: [], blocked: [{ id: star }] });
    expect(await findPerson(database.db, star)).toMatchObject({ follower_count: 1 });
    await expectConsistent();
  });

  it('of two people by each other at once are both stored', async () => {
    const pairs = [['one', 'two'] as const, ['two', 'one'] as const];
    await Promise.all(pairs.map(([owner, person]) => blockPerson(database.db, owner, person, network.now())));
    for (const [owner, person] of pairs)
      expect(await findPerson(database.db, owner)).toMatchObject({ blocked: [{ id: person }] });
  });
});

/** Its first read in a transaction sees the person before there were circles, as a snapshot does that is older than a read before it. */
function withStaleSnapshot(db: Db): Db {
  let isStale = true;
  const stored = people(db);
  const findOne = async (filter: object, options: FindOptions = {}) => {
    const found = await stored.findOne(filter, options);
    if (!found || !options.session || !isStale) return found;
    isStale = false;
    return { ...found, circles: [] };
  };
  const bound = (target: object, key: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  const stale = new Proxy(stored, { get: (target, key) => (key === 'findOne' ? findOne : bound(target, key)) });
  const collection = (name: string, options?: object) =>
    name === people.collectionName ? stale : db.collection(name, options);
  return new Proxy(db, { get: (target, key) => (key === 'collection' ? collection : bound(target, key)) });
}

it('a circle is deleted also if the transaction sees the person as before it was made', async () => {
  expect(await deleteCircle(withStaleSnapshot(database.db), 'owner', 'crew', network.now())).toEqual({ _id: 'crew' });
  expect((await findPerson(database.db, 'owner'))?.circles.map(({ id }) => id)).toEqual(['family']);
  await expectConsistent();
});
