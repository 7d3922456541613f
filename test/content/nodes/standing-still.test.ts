/** A worker that stands still until another one has taken over its call, and was refused. */
import { expect, it } from 'vitest';
import type { Work } from '../../../src/database/index.js';
import { nodes } from '../../../src/models/content/nodes/node.js';
import { createNode } from '../../../src/models/content/nodes/node-creation.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { useDatabase } from '../../support/database.js';
import { standStill } from '../../support/keyed-calls.js';
import { add, write } from './node-support.js';

const database = useDatabase({ checked: false }); // a slug that is given up by hand

const giveUp = (id: string) => () => nodes(database.db).updateOne({ _id: id }, { $set: { slug: `elsewhere-${id}` } });

it('creates no node', async () => {
  const { db } = database;
  const other = await add(db, { slug: 'wanted' });
  const create: Work<unknown> = (call, _begunAt, attempt) =>
    createNode(db, { ...write(), call, attempt }, { type: 'PAGE', title: 'Mine', slug: 'wanted' });
  expect(await standStill(db, create, giveUp(other._id))).toMatchObject({ __typename: 'SlugTaken' });
  expect(await nodes(db).countDocuments({ title: 'Mine' })).toBe(0);
});

it('moves no node', async () => {
  const { db } = database;
  const other = await add(db, { slug: 'place' });
  const { _id: id, nonce } = await add(db, { slug: 'here' });
  const move: Work<unknown> = (call, _begunAt, attempt) =>
    moveNode(db, { ...write(), call, attempt }, { id, nonce, slug: 'place', parentId: undefined });
  expect(await standStill(db, move, giveUp(other._id))).toMatchObject({ __typename: 'SlugTaken' });
  expect(await nodes(db).findOne({ _id: id })).toMatchObject({ slug: 'here' });
});
