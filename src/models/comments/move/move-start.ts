/** Starting the move of a discussion into another design. */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { CommentHost } from '../../commentable.js';
import { type Act, recordAct } from '../../people/audit.js';
import { backgroundWork } from '../../system/work/background-work.js';
import { startWork } from '../../system/work/work-start.js';
import type { WorkDocument } from '../../work.js';
import type { CommentDesign } from '../discussion/comment.js';
import {
  type Discussion,
  discussions,
  findDiscussion,
  isThere,
  type Subject,
  TURN_ATTEMPTS_MAX,
  takeTurn,
} from '../discussion/discussion.js';
import { whyNotChosen } from './bounds.js';
import { commentMove, type MoveInput } from './comment-move.js';

export type CommentDesignNotPossible = Refusal<'CommentDesignNotPossible'>;
export type CommentMoveBusy = Refusal<'CommentMoveBusy', { readonly move: WorkDocument }>;

export interface NewMove {
  readonly subject: Subject;
  /** Known, a discussion is not begun for what is gone. */
  readonly hosts?: readonly CommentHost[];
  /** What the discussion is about, for the audit trail. */
  readonly name: string;
  readonly to: CommentDesign;
  /** Null for a command. */
  readonly owner: string | null;
}

type MaybeMoved = Pick<Discussion, 'move'>;

const BUSY = 'The discussion is being moved already';
const NOT_CLEAN = 'A move of the discussion has failed, and its copies are still being removed: try again in a minute';

/** The move of a discussion that has not ended. */
export async function findMoveUnderWay(db: Db, discussion: MaybeMoved): Promise<WorkDocument | null> {
  const found = await findMove(db, discussion);
  return found?.open ? found : null;
}

/** Also one that has failed, until `move-repair.ts` has removed what it left. */
const findMove = (db: Db, { move }: MaybeMoved, session?: ClientSession): Promise<WorkDocument | null> =>
  move === undefined
    ? Promise.resolve(null)
    : backgroundWork(db).findOne({ _id: move }, { ...(session && { session }) });

/**
 * Stores that a discussion is to be moved, with an entry in the audit trail if somebody decided it. Then call `wake` of the process's `WorkService`.
 * @returns the work, or a refusal, and then nothing has changed @throws LimitError the owner has too much work that has not ended
 */
export async function startMove(
  db: Db,
  act: Act | Pick<Act, 'at'>,
  { subject, hosts = [], name, to, owner }: NewMove,
): Promise<WorkDocument | CommentDesignNotPossible | CommentMoveBusy> {
  const id = randomUUID();
  const { value } = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const found = await findDiscussion(db, subject.discussion, session);
      // What nobody decided begins no discussion: this one may have been removed at the same moment.
      const isBegun = found !== null || ('actor' in act && (await isThere(db, session, hosts, subject.discussion)));
      if (!isBegun) return refuse('CommentDesignNotPossible', 'There is no such discussion');
      const discussion = found ?? (await takeTurn(db, session, subject));
      const { _id, design: from } = discussion;
      const other = await findMove(db, discussion, session);
      if (other) return refuse('CommentMoveBusy', other.open ? BUSY : NOT_CLEAN, { move: other });
      const reason = whyNotChosen(subject, discussion, to);
      if (reason !== null) return refuse('CommentDesignNotPossible', reason);
      const input: MoveInput = { discussion: _id, from, to };
      // Guard: of two callers, and of a writer and this one, one meets a conflict and starts again. First of all writes, so that it waits
      // for no turn with work done.
      await discussions(db).updateOne(
        { _id },
        { $set: { move: id, changed: [] }, $unset: { outgrown: '' } },
        { session },
      );
      const work = await startWork(
        db,
        { id, kind: commentMove, owner, input, total: discussion.issued },
        act.at,
        session,
      );
      const deed = { action: 'COMMENT_DESIGN_CHANGED', subject: name, detail: `${from} to ${to}` } as const;
      if ('actor' in act) await recordAct(db, session, act, deed);
      return work;
    },
    { attemptsMax: TURN_ATTEMPTS_MAX, retryDuplicateKeys: true }, // of two callers that create the same discussion
  );
  return value;
}
