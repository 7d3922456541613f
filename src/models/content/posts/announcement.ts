/**
 * The announcement of scheduled nodes: when a node's time has come, it is written once, so that lists that are followed live, and the
 * counters of its tags, learn of it. Reads do not depend on it: they compare the time themselves.
 */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { findNode, nodes } from '../nodes/node.js';
import { inNodeTransaction, replaceNode } from '../nodes/node-change.js';

const BATCH = 100;

/** Safe in any number of processes at once. @returns how many were announced */
export async function announceScheduled(db: Db, now: Date): Promise<number> {
  let announced = 0;
  for (;;) {
    const due = await nodes(db)
      .find({ state: 'SCHEDULED', published: { $lte: now } }, { projection: { _id: 1 } })
      .sort({ published: 1 })
      .limit(BATCH)
      .toArray();
    for (const { _id } of due) {
      announced += (await announce(db, _id, now)) ? 1 : 0;
      failpoint('node.announced');
    }
    if (due.length < BATCH) return announced;
  }
}

const announce = (db: Db, _id: string, now: Date): Promise<boolean> =>
  inNodeTransaction(db, async (session) => {
    const before = await findNode(db, _id, session);
    // Guard: the state, read in the transaction. Two processes that both found it conflict, and the second one finds it announced.
    if (before?.state !== 'SCHEDULED' || before.published === null || before.published > now) return false;
    await replaceNode(db, session, before, before, now);
    return true;
  });
