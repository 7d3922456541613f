/** What imported posts become in news and on walls: those imported after the ties, before them, and by two imports at once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { personIdOf } from '../../../src/models/social/import/source.js';
import { findNews } from '../../../src/models/social/news/news.js';
import { findWall } from '../../../src/models/social/news/wall-list.js';
import { lines } from '../../content/import/import-support.js';
import { useDatabase } from '../../support/database.js';
import { Network } from '../social-support.js';
import { useNetworkImports } from './network-import-support.js';

const database = useDatabase({ checked: false }); // of couriers, which have tests of their own
const { run, accept, importAll, expectSound } = useNetworkImports(database);
let sources = 0;
let source: string;

beforeEach(() => {
  sources += 1;
  source = `source ${sources}`;
});

const id = (key: string): string => personIdOf(source, key);
const at = (minute: number): string => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();
const PEOPLE = ['ann', 'ben', 'cid'].map((key) => ({ person: key, name: `Name of ${key}` }));
const CIRCLES = [
  { circle: 'Friends', of: 'ann', members: ['ben'] },
  { circle: 'Others', of: 'ann', members: ['cid'] },
  { circle: 'Idols', of: 'cid', members: ['ben', 'ann'] },
];
const POSTS = [
  { post: 1, by: 'ann', text: 'To friends', audience: 'CIRCLES', circles: ['Friends'], at: at(3) },
  { post: 2, by: 'ben', on: 'ann', text: 'On the wall', audience: 'PUBLIC', at: at(2) },
  { post: 3, by: 'ann', text: 'To all of mine', at: at(1) },
];

async function expectNews(): Promise<void> {
  await new Network(database.db).deliver();
  const textsOf = async (reader: string) =>
    (await findNews(database.db, id(reader), { first: 10 })).edges.map(({ node }) => node.text);
  expect(await textsOf('ann')).toEqual(['To friends', 'On the wall', 'To all of mine']);
  expect(await textsOf('ben')).toEqual(['To friends', 'On the wall', 'To all of mine']);
  expect(await textsOf('cid')).toEqual(['On the wall', 'To all of mine']);
  const wall = await findWall(database.db, null, id('ann'), { first: 10 });
  expect(wall.edges.map(({ node }) => node.text)).toEqual(['On the wall']);
  await expectSound();
}

describe('imported posts', () => {
  it('are in the news of those for whom they are meant', async () => {
    await importAll([...POSTS, ...CIRCLES, ...PEOPLE], source);
    await expectNews();
  });

  it('reach those who come into a circle later', async () => {
    const circle = { circle: 'Friends', of: 'ann', members: [] };
    await importAll([...PEOPLE, circle, ...POSTS], source);
    await new Network(database.db).deliver();
    expect(await importAll(CIRCLES, source)).toMatchObject({ imported: 3, skipped: 0 });
    await expectNews();
  });

  it('are there once if two imports, one of ties and one of posts, run at once', async () => {
    await importAll([...PEOPLE, { circle: 'Friends', of: 'ann', members: [] }], source);
    const works = [await accept(lines(POSTS), source), await accept(lines(CIRCLES), source)];
    const done = await Promise.all(works.map(({ _id }) => run(_id)));
    expect(done.map(({ imported }) => imported)).toEqual([3, 3]);
    await expectNews();
  });
});
