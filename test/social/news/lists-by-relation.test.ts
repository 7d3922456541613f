/**
 * The rule as a table: which of somebody's posts are in which list, by how the reader is related to them, read and followed live. What is
 * expected is written down, not computed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockPerson } from '../../../src/models/social/network/block.js';
import type { ListArgs } from '../../../src/models/social/news/list-state.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findIncoming, findWall } from '../../../src/models/social/news/wall-list.js';
import type { Audience } from '../../../src/models/social/posts/visibility.js';
import { Hub } from '../../../src/realtime/hub.js';
import { useDatabase } from '../../support/database.js';
import { idsOf, Network } from '../social-support.js';
import { ListClient } from './list-client.js';

const database = useDatabase();
let hub: Hub;
beforeAll(async () => {
  hub = await Hub.create({ db: database.db, ring: { events: 1000, bytes: 10_000_000 }, catchUpsMax: 4 });
});
afterAll(() => hub.close());

/** What the reader and the author have done. */
interface Relation {
  /** The reader follows the author. */
  readonly follows?: boolean;
  /** A circle of the author that the reader is in. */
  readonly circle?: 'Friends' | 'Family';
  /** Once the posts are published. */
  readonly blocks?: 'the reader' | 'the author';
}

/**
 * The posts of an author in the lists of a reader: `P` for everybody, `M` for the circles of the author, `C` for the circle Friends; small
 * letters for those that the author has left on the wall of the reader.
 */
interface Lists {
  readonly news: string;
  readonly wallOfAuthor: string;
  /** The reader's own. */
  readonly ownWall: string;
  readonly incoming: string;
}

const table: readonly (readonly [relation: string, Relation, Lists])[] = [
  ['a stranger', {}, { news: '', wallOfAuthor: 'P', ownWall: '', incoming: 'cmp' }],
  ['a follower', { follows: true }, { news: 'Pp', wallOfAuthor: 'P', ownWall: 'cmp', incoming: 'cmp' }],
  ['in the circle', { circle: 'Friends' }, { news: 'CMcm', wallOfAuthor: 'CMP', ownWall: '', incoming: 'cmp' }],
  [
    'in the circle, and a follower',
    { circle: 'Friends', follows: true },
    { news: 'CMPcmp', wallOfAuthor: 'CMP', ownWall: 'cmp', incoming: 'cmp' },
  ],
  ['in another circle', { circle: 'Family' }, { news: 'Mm', wallOfAuthor: 'MP', ownWall: '', incoming: 'cmp' }],
  [
    'in another circle, and a follower',
    { circle: 'Family', follows: true },
    { news: 'MPmp', wallOfAuthor: 'MP', ownWall: 'cmp', incoming: 'cmp' },
  ],
  [
    'somebody who has blocked the author',
    { circle: 'Friends', follows: true, blocks: 'the reader' },
    { news: '', wallOfAuthor: '', ownWall: '', incoming: 'cmp' }, // owners see what is on their walls, to delete it
  ],
  [
    'somebody whom the author has blocked',
    { circle: 'Friends', follows: true, blocks: 'the author' },
    { news: '', wallOfAuthor: '', ownWall: '', incoming: 'cmp' },
  ],
];

const AUDIENCES: Readonly<Record<string, Audience>> = { P: 'PUBLIC', M: 'MY_CIRCLES', C: 'CIRCLES' };
const ALL = { first: 20 };

/** An author and a reader who are related so, with the posts of the author, by letter. */
async function publishAll(network: Network, [author, reader]: readonly [string, string], relation: Relation) {
  const friends = await network.circle(author, 'Friends');
  await network.circle(author, 'Family');
  if (relation.circle) await network.follow(author, reader, relation.circle);
  if (relation.follows) await network.follow(reader, author);
  const letters = new Map<string, string>();
  for (const [letter, audience] of Object.entries(AUDIENCES))
    for (const wall of [author, reader]) {
      const circles = audience === 'CIRCLES' ? [friends] : [];
      const { _id } = await network.post(author, { audience, circles }, wall);
      letters.set(_id, wall === author ? letter : letter.toLowerCase());
    }
  await network.deliver();
  if (relation.blocks === 'the reader') await blockPerson(database.db, reader, author, network.now());
  if (relation.blocks === 'the author') await blockPerson(database.db, author, reader, network.now());
  return (ids: readonly string[]): string =>
    ids
      .map((id) => letters.get(id) ?? '?')
      .sort()
      .join('');
}

async function follow(args: ListArgs): Promise<ListClient> {
  const client = new ListClient(args);
  await client.connect(hub);
  await client.until('the empty list', () => client.snapshots > 0);
  return client;
}

describe('the lists of a reader who is to the author', () => {
  it.each(table)('%s', async (name, relation, expected) => {
    const { db } = database;
    const network = new Network(db);
    const [author, reader] = [`author of ${name}`, `reader, ${name}`].map((id) => id.replace(/\W+/g, '-')) as [
      string,
      string,
    ];
    await network.join(author, reader);
    const live = {
      news: await follow({ list: 'NEWS', owner: reader, reader }),
      wallOfAuthor: await follow({ list: 'WALL', owner: author, reader }),
      ownWall: await follow({ list: 'WALL', owner: reader, reader }),
      incoming: await follow({ list: 'INCOMING', owner: reader, reader }),
    };
    const lettersOf = await publishAll(network, [author, reader], relation);
    expect({
      news: lettersOf(idsOf(await findNews(db, reader, ALL))),
      wallOfAuthor: lettersOf(idsOf(await findWall(db, reader, author, ALL))),
      ownWall: lettersOf(idsOf(await findWall(db, reader, reader, ALL))),
      incoming: lettersOf(idsOf(await findIncoming(db, reader, ALL))),
    }).toEqual(expected);
    for (const list of ['news', 'wallOfAuthor', 'ownWall', 'incoming'] as const)
      await live[list].until(
        `${list}: ${expected[list]}`,
        (shown) => lettersOf(shown.map(({ _id }) => _id)) === expected[list],
      );
    for (const client of Object.values(live)) await client.disconnect();
  });

  it('nobody, or the author', async () => {
    const { db } = database;
    const network = new Network(db);
    await network.join('ann', 'ben');
    const lettersOf = await publishAll(network, ['ann', 'ben'], {});
    expect(lettersOf(idsOf(await findWall(db, null, 'ann', ALL)))).toBe('P');
    expect(lettersOf(idsOf(await findWall(db, null, 'ben', ALL)))).toBe('p');
    expect(lettersOf(idsOf(await findNews(db, 'ann', ALL)))).toBe('CMPcmp');
    expect(lettersOf(idsOf(await findWall(db, 'ann', 'ann', ALL)))).toBe('CMP');
    expect(lettersOf(idsOf(await findWall(db, 'ann', 'ben', ALL)))).toBe('cmp');
    expect(lettersOf(idsOf(await findIncoming(db, 'ann', ALL)))).toBe('');
  });
});
