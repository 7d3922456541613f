/** Announcements and recounts while the process dies: the next one does the rest, and nothing twice. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { createNode } from '../../../src/models/content/nodes/node-creation.js';
import { announceScheduled } from '../../../src/models/content/posts/announcement.js';
import { repairTags } from '../../../src/models/content/tags/tag-repair.js';
import { HOUR_MS } from '../../../src/shared/time.js';
import type { Scenario } from '../../crash/scenario.js';
import { callJobs } from '../../crash/workers.js';
import { requireStored, violations, write } from '../nodes/node-support.js';

/** Two nodes with one tag each, written an hour ago. */
async function add(db: Db, publishedAt: Date): Promise<void> {
  const at = new Date(Date.now() - HOUR_MS);
  for (const title of ['One', 'Two'])
    requireStored(await createNode(db, write({ at }), { type: 'PAGE', title, tags: [title], publishedAt }));
}

const counts = (db: Db) =>
  db
    .collection('cms.tags')
    .find({}, { projection: { _id: 0, count: 1 } })
    .toArray();

const announced: Scenario<void> = {
  failpoints: { 'node.announced': 1 },
  async act(product, db) {
    await add(db, new Date(Date.now() - 1000)); // in the future when it was written
    await callJobs(db, product);
  },
  async judge(_product, db) {
    await announceScheduled(db, new Date());
    expect(await db.collection('cms.nodes').distinct('state')).toEqual(['PUBLISHED']);
    expect(await counts(db)).toEqual([{ count: 1 }, { count: 1 }]);
    expect(await violations(db)).toEqual([]);
  },
};

const recounted: Scenario<void> = {
  failpoints: { 'tag.recounted': 1 },
  async leave(db) {
    await add(db, new Date(0));
    await db.collection('cms.tags').updateMany({}, { $set: { count: 9 } });
  },
  async judge(_product, db) {
    await repairTags(db);
    expect(await counts(db)).toEqual([{ count: 1 }, { count: 1 }]);
    expect(await violations(db)).toEqual([]);
  },
};

export const announcementScenarios = [announced, recounted] as readonly Scenario<unknown>[];
