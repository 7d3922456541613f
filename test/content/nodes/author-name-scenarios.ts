/** A changed name is copied to an author's works while the process dies: the next one copies the rest. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { createNode } from '../../../src/models/content/nodes/node-creation.js';
import type { Scenario } from '../../crash/scenario.js';
import { letWorkersRun } from '../../crash/workers.js';
import { requireStored, write } from './node-support.js';

const ann = { _id: 'ann', name: 'Ann' };

async function leave(db: Db): Promise<void> {
  for (const title of ['One', 'Two'])
    requireStored(await createNode(db, write({ author: ann }), { type: 'PAGE', title }));
  await db.collection('users').insertOne({
    _id: 'ann',
    email: 'ann@example.org',
    name: 'Ann Müller',
    password_hash: '-',
    roles: ['EDITOR'],
    created_at: new Date(),
  } as never);
}

const nameCopied: Scenario<void> = {
  failpoints: {
    'author.rename-found': 1,
    'author.rename-begun': 1,
    'author.nodes-read': 1,
    'author.nodes-renamed': 1,
    'author.versions-read': 1,
    'author.versions-renamed': 1,
  },
  leave,
  async judge(_product, db) {
    await letWorkersRun(db);
    for (const collection of ['cms.nodes', 'cms.versions'])
      expect(await db.collection(collection).distinct('author.name')).toEqual(['Ann Müller']);
  },
};

export const nameScenarios = [nameCopied] as readonly Scenario<unknown>[];
