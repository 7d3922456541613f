import { beforeAll, describe, expect, it } from 'vitest';
import { findPersonViolations } from '../../../src/models/social/invariants.js';
import { blockPerson, findBlocked, unblockPerson } from '../../../src/models/social/network/block.js';
import { createCircle, findCircles, renameCircle } from '../../../src/models/social/network/circle.js';
import { deleteCircle } from '../../../src/models/social/network/circle-deletion.js';
import { findFollowers } from '../../../src/models/social/network/follower.js';
import { addToCircle, removeFromCircle } from '../../../src/models/social/network/following.js';
import { findPerson, people } from '../../../src/models/social/network/person.js';
import { findProfile, findProfiles } from '../../../src/models/social/network/profile.js';
import { useDatabase } from '../../support/database.js';
import { Network } from '../social-support.js';

const database = useDatabase();
let network: Network;

const violations = async () => {
  const found = [];
  for await (const violation of findPersonViolations(database.db, async () => undefined)) found.push(violation);
  return found;
};

beforeAll(() => {
  network = new Network(database.db);
});

describe('circles', () => {
  beforeAll(() => network.join('ann', 'ben', 'cid'));

  it.each(['a.b', '$where', '__proto__', 'Frères & sœurs'])('may be named %s', async (name) => {
    const circle = await createCircle(database.db, 'ann', name);
    expect(circle).toMatchObject({ name, members: [] });
    expect(await createCircle(database.db, 'ann', name)).toMatchObject({ __typename: 'CircleNameTaken', circle });
  });

  it('keep their people when they are renamed, and refuse a name that is taken', async () => {
    const circle = await network.follow('ben', 'ann', 'Friends');
    expect(await renameCircle(database.db, 'ben', circle, 'Old friends')).toMatchObject({ members: [{ id: 'ann' }] });
    const other = await network.circle('ben', 'Family');
    expect(await renameCircle(database.db, 'ben', other, 'Old friends')).toMatchObject({
      __typename: 'CircleNameTaken',
    });
    expect(await renameCircle(database.db, 'ben', 'none', 'Any')).toMatchObject({ __typename: 'CircleNotFound' });
  });

  it('make those who are in none any more no longer followed', async () => {
    const one = await network.follow('cid', 'ann', 'One');
    const two = await network.follow('cid', 'ann', 'Two');
    await network.follow('cid', 'ben', 'Two');
    await removeFromCircle(database.db, { owner: 'cid', circle: one, person: 'ann' }, network.now());
    expect((await findPerson(database.db, 'cid'))?.following.map(({ id }) => id)).toEqual(['ann', 'ben']);
    expect(await deleteCircle(database.db, 'cid', two, network.now())).toEqual({ _id: two });
    expect((await findPerson(database.db, 'cid'))?.following).toEqual([]);
    expect((await findCircles(database.db, 'cid')).map(({ name }) => name)).toEqual(['One']);
    expect(await violations()).toEqual([]);
  });

  it.each([
    ['somebody who has not joined', 'nobody', 'Nobody in the network has this id, or one of you has blocked the other'],
    ['the owner', 'ann', 'You cannot put yourself into a circle'],
  ])('refuse %s and change nothing', async (_who, person, message) => {
    const circle = await network.circle('ann', `For ${person}`);
    const before = await findPerson(database.db, 'ann');
    const added = await addToCircle(database.db, { owner: 'ann', circle, person }, network.now());
    expect(added).toMatchObject({ __typename: 'ProfileNotFound', message });
    expect(await findPerson(database.db, 'ann')).toEqual(before);
  });
});

describe('a block', () => {
  beforeAll(() => network.join('dan', 'eva'));

  it('removes both from the circles of each other, and hides their profiles', async () => {
    await network.follow('dan', 'eva');
    const circle = await network.follow('eva', 'dan');
    expect(await blockPerson(database.db, 'dan', 'eva', network.now())).toEqual({ blocked: 'eva' });
    expect((await findPerson(database.db, 'dan'))?.following).toEqual([]);
    expect((await findPerson(database.db, 'eva'))?.following).toEqual([]);
    expect(await findProfile(database.db, 'eva', 'dan')).toBeNull();
    expect(await findProfile(database.db, 'dan', 'eva')).toBeNull();
    const added = await addToCircle(database.db, { owner: 'eva', circle, person: 'dan' }, network.now());
    expect(added).toMatchObject({ __typename: 'ProfileNotFound' });
    expect((await findProfiles(database.db, 'eva', 'name of d', { first: 10 })).edges).toEqual([]);
    expect(await findBlocked(database.db, 'dan')).toEqual(['eva']);
    expect(await violations()).toEqual([]);
  });

  it('that is removed lets both find each other again', async () => {
    await unblockPerson(database.db, 'dan', 'eva');
    expect(await findProfile(database.db, 'eva', 'dan')).toMatchObject({ name: 'Name of dan', myCircles: [] });
  });
});

describe('circles that are changed at once', () => {
  it('by people who add and remove each other all finish, and agree', async () => {
    const names = ['one', 'two', 'three', 'four'];
    await network.join(...names);
    const circles = new Map<string, string>();
    for (const owner of names) circles.set(owner, await network.circle(owner, 'Others'));
    const pairs = names.flatMap((owner) =>
      names.filter((person) => person !== owner).map((person) => ({ owner, person })),
    );
    const act = async ({ owner, person }: (typeof pairs)[number]) => {
      const member = { owner, circle: circles.get(owner) ?? '', person };
      await addToCircle(database.db, member, network.now());
      await removeFromCircle(database.db, member, network.now());
    };
    await Promise.all(pairs.flatMap((pair) => [act(pair), act(pair)]));
    for (const owner of names)
      expect(await findPerson(database.db, owner)).toMatchObject({ following: [], follower_count: 0 });
    expect(await violations()).toEqual([]);
  });
});

describe('many followers at once', () => {
  const fans = Array.from({ length: 200 }, (_, at) => `fan${String(at).padStart(3, '0')}`);

  it('are all counted, and none twice', async () => {
    await network.join('star', ...fans);
    const circles = await Promise.all(fans.map((fan) => network.circle(fan, 'Stars')));
    await people(database.db).updateOne({ _id: 'star' }, { $set: { follower_page: { number: 1, taken: 890 } } });
    await Promise.all(
      fans.map((owner, at) =>
        addToCircle(database.db, { owner, circle: circles[at] ?? '', person: 'star' }, network.now()),
      ),
    );
    expect(await findPerson(database.db, 'star')).toMatchObject({
      follower_count: 200,
      follower_page: { number: 2, taken: 90 },
    });
    expect(await violations()).toEqual([]);
  });

  it('are listed page by page, the latest first', async () => {
    const listed: string[] = [];
    for (let after: string | null = null; ; ) {
      const { edges, pageInfo } = await findFollowers(database.db, 'star', { first: 7, after });
      listed.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(listed.toSorted()).toEqual(fans);
  });
});
