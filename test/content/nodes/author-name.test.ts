/** Authors' names follow their accounts. */
import { beforeEach, expect, it } from 'vitest';
import { authors, followNames } from '../../../src/models/content/nodes/author-name.js';
import { findNode, nodes } from '../../../src/models/content/nodes/node.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { users } from '../../../src/models/people/user.js';
import { useDatabase } from '../../support/database.js';
import { add, ann, ben, edit, later, NOW, requireStored, violations } from './node-support.js';

const database = useDatabase();
const account = (_id: string, name: string) =>
  users(database.db).updateOne(
    { _id },
    { $set: { email: `${_id}@example.org`, name, roles: ['EDITOR'], password_hash: '-', created_at: NOW } },
    { upsert: true },
  );
const names = () => nodes(database.db).distinct('author.name', { 'author._id': 'ann' });

beforeEach(async () => {
  await account('ann', 'Ann');
  await account('ben', 'Ben');
});

it('gives works and versions the new name of a renamed account, and nothing else', async () => {
  for (let n = 0; n < 60; n += 1) await add(database.db, { slug: `of-ben-${n}` }, { author: ben });
  const node = await add(database.db, { slug: 'of-ann', title: 'Kept' }, { author: ann });
  await edit(database.db, node, { title: 'Of Ben' }, { author: ben });
  expect(await followNames(database.db, NOW)).toBe(0);
  await account('ann', 'Ann Müller');
  expect(await followNames(database.db, NOW)).toBe(2);
  const found = await findNode(database.db, node._id);
  expect(found).toMatchObject({ author: { _id: 'ann', name: 'Ann Müller' }, title: 'Of Ben', version: 2 });
  const stored = await versions(database.db).find({ '_id.node': node._id }).sort({ version: 1 }).toArray();
  expect(stored.map(({ author }) => author.name)).toEqual(['Ann Müller', 'Ben']);
  expect(await violations(database.db)).toEqual([]);
});

it('also renames works whose writes began before the change and ended after the first search', async () => {
  await account('ann', 'Anna');
  await followNames(database.db, NOW);
  await add(database.db, { slug: 'late' }, { author: ann });
  expect(await followNames(database.db, later(60_000))).toBe(2); // the node and its version
  expect(await names()).toEqual(['Anna']);
  await followNames(database.db, later(120_000));
  expect(await authors(database.db).countDocuments({ searched_until: { $exists: true } })).toBe(0);
});

it('empties the names of a deleted account, and keeps its id', async () => {
  await users(database.db).deleteOne({ _id: 'ann' });
  await followNames(database.db, later(200_000));
  expect(await names()).toEqual(['']);
  expect(await nodes(database.db).countDocuments({ 'author._id': 'ann' })).toBeGreaterThan(0);
});

it('leaves works of programs as they are', async () => {
  const node = requireStored(await add(database.db, { slug: 'of-a-program' }, { author: { name: 'Importer' } }));
  await followNames(database.db, later(300_000));
  expect(await findNode(database.db, node._id)).toEqual(node);
});
