/**
 * Moves that failed for a reason that nobody foresaw, so that they could not clean up. Until one is ended here, writers pause for it, and
 * no other move of its discussion begins.
 */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { backgroundWork } from '../../system/work/background-work.js';
import { type Discussion, discussions, TURN_ATTEMPTS_MAX } from '../discussion/discussion.js';
import { leftOf } from './comment-move.js';
import { copying, type Left } from './copying.js';

interface Moved extends Pick<Discussion, '_id' | 'generation'> {
  readonly move: string;
}

const MOVED_FIELDS = { generation: 1, move: 1 } as const;

/** Removes what they have left behind. May be repeated. @returns how many moves were ended */
export async function endFailedMoves(db: Db): Promise<number> {
  let ended = 0;
  for await (const moved of discussions(db)
    .find({ move: { $exists: true } })
    .project<Moved>(MOVED_FIELDS)) {
    const work = await backgroundWork(db).findOne({ _id: moved.move });
    if (work?.open) continue;
    // Work that ended long ago is removed. Nobody reads what such a move has copied.
    if (work) await removeAll(db, moved, leftOf(work, moved));
    const { _id, move } = moved;
    await discussions(db).updateOne({ _id, move }, { $unset: { move: '', changed: '' } });
    ended += 1;
  }
  return ended;
}

async function removeAll(db: Db, { _id, move }: Moved, all: Left | null): Promise<void> {
  for (let left = all; left; ) {
    const next: Left = left;
    const { value: removed } = await inTransaction(
      db,
      commitConcernOf.MAJORITY,
      async (session) => {
        // Guard: `move`. Who comes back late finds it removed, or that of a later move, whose copies stay.
        const { matchedCount } = await discussions(db).updateOne({ _id, move }, { $inc: { turn: 1 } }, { session });
        return matchedCount === 0 ? null : copying[next.design].remove(db, session, next);
      },
      { attemptsMax: TURN_ATTEMPTS_MAX },
    );
    failpoint('comment.left-removed');
    left = removed === null ? null : { ...next, removed };
  }
}
