/** The removal of what has been in the trash for 30 days, while the process dies: the next one removes the rest. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { createNode } from '../../../src/models/content/nodes/node-creation.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { DAY_MS } from '../../../src/shared/time.js';
import type { Scenario } from '../../crash/scenario.js';
import { letWorkersRun } from '../../crash/workers.js';
import { comment, requireStored, write } from './node-support.js';

const act = { actor: 'ann@example.org', address: '::1', at: new Date(), keptUntil: new Date(Date.now() + DAY_MS) };

/** Two nodes that were deleted 31 days ago, of which everybody could see the first one, and one of yesterday. All were commented on. */
async function leave(db: Db): Promise<string> {
  const ids: string[] = [];
  for (const [title, days] of [
    ['One', 31],
    ['Two', 31],
    ['Kept', 1],
  ] as const) {
    const at = new Date(Date.now() - days * DAY_MS);
    const { _id: id, nonce } = requireStored(
      await createNode(db, write({ at }), { type: 'PAGE', title, ...(title === 'One' && { publishedAt: at }) }),
    );
    await comment(db, id);
    requireStored(await deleteNode(db, write({ at }), act, { id, nonce }));
    ids.push(id);
  }
  return ids[2] ?? '';
}

const trashPurged: Scenario<string> = {
  failpoints: {
    'node.purge-begun': 2,
    'node.purge-marked': 2,
    'node.versions-removed': 2,
    'discussion.turn-taken': 2,
    'discussion.cases-removed': 2,
    'discussion.comments-removed': 2,
    'discussion.pages-removed': 2,
    'discussion.removed': 2,
    'node.redirects-closed': 2,
    'node.purged': 1,
  },
  leave,
  async judge(product, db, kept) {
    await letWorkersRun(db);
    expect(await db.collection('cms.nodes').distinct('_id')).toEqual([kept]);
    expect(await db.collection('cms.versions').distinct('_id.node')).toEqual([kept]);
    for (const name of ['comment_discussions', 'comment_pages'])
      expect(await db.collection(name).countDocuments()).toBe(1);
    expect(await db.collection<{ _id: string }>('comments').distinct('_id')).toEqual([`ContentNode:${kept}/1`]);
    const redirects = db.collection<{ _id: string }>('cms.redirects');
    expect(await redirects.find({ gone_until: { $exists: true } }).toArray()).toMatchObject([
      { _id: 'root/one', was_public: true },
    ]);
    expect(await redirects.distinct('node_id', { gone_until: { $exists: false } })).toEqual([kept]);
    expect((await fetch(`${product.url}/blog/~/one`)).status).toBe(410);
    expect((await fetch(`${product.url}/blog/~/two`)).status).toBe(404);
    const restore = `mutation { restoreNode(id: "${toGlobalId('ContentNode', kept)}") { __typename } }`;
    expect((await product.request(restore)).data).toEqual({ restoreNode: { __typename: 'Page' } });
  },
};

export const trashScenarios = [trashPurged] as readonly Scenario<unknown>[];
