/** Discussions that outgrow the design that they begin with are moved into another one, without an editor. */
import type { Db } from 'mongodb';
import type { CommentHost } from '../../commentable.js';
import { discussions, existing, hostOf } from '../discussion/discussion.js';
import { startMove } from './move-start.js';

/**
 * Starts the moves of those that the write of a comment has marked. One that cannot be moved now keeps its mark for the next run.
 * @returns how many moves were started
 */
export async function moveOutgrown(db: Db, hosts: readonly CommentHost[], now: Date): Promise<number> {
  let started = 0;
  for await (const { _id } of discussions(db).find({ outgrown: true }).project<{ _id: string }>({ _id: 1 })) {
    const to = hostOf(hosts, _id)?.outgrownBy;
    if (!to) continue;
    const work = await startMove(db, { at: now }, { subject: existing(_id), name: _id, to, owner: null });
    if (!('__typename' in work)) started += 1;
  }
  return started;
}
