/**
 * Moving a discussion into another design while everybody reads and writes: background work.
 *
 * Comments are copied in the order of their numbers, then those again that were changed meanwhile, until few are left. The last step
 * takes the turn of the discussion, copies these few, and switches the design, in one transaction: every write happens before it, in
 * the old design, or after it, in the new one. Then what is left behind is removed; who still reads it does so at an earlier time.
 * Moving back undoes it.
 */
import type { ClientSession, Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type HeldWork, type WorkDocument, WorkFailure, type WorkKind, type WorkStep } from '../../work.js';
import { designs } from '../designs/index.js';
import type { CommentDesign, StoredComment } from '../discussion/comment.js';
import { type Discussion, discussions, existing, findDiscussion, takeTurn } from '../discussion/discussion.js';
import { whyNotPossible } from './bounds.js';
import { copying, type LastPage, type Left, type Target } from './copying.js';

export interface MoveInput {
  readonly discussion: string;
  readonly from: CommentDesign;
  readonly to: CommentDesign;
}

type Moved = Pick<Discussion, '_id' | 'generation'>;

interface Position {
  /** The highest number that was copied. */
  readonly copied: number;
  readonly page?: LastPage | undefined;
  /** Numbers taken out of `changed`, whose comments are to be copied again. */
  readonly again?: readonly number[];
  /** What is to be removed: the old design after the move, the copies if it is not possible. */
  readonly left?: Left;
  /** Nothing is left to remove. */
  readonly isClean?: true;
  readonly failure?: string;
  readonly isOver?: true;
}

const BATCH = 300;
/** The last step keeps writers waiting. */
const LAST_MAX = 100;

export const inputOf = ({ input }: Pick<WorkDocument, 'input'>): MoveInput => input as MoveInput;

const positionOf = ({ position }: Pick<WorkDocument, 'position'>): Position =>
  (position as Position | undefined) ?? { copied: 0 };

export const commentMove: WorkKind = {
  name: 'comment-move',
  type: 'CommentMove',

  async run(held) {
    while (!positionOf(held.work).isOver) {
      await held.step((session) => stepOf(held, session));
      failpoint('comment.move-stepped');
    }
    const { failure } = positionOf(held.work);
    if (failure !== undefined) throw new WorkFailure(failure);
  },
};

async function stepOf(held: HeldWork, session: ClientSession): Promise<WorkStep> {
  const { db, work } = held;
  const { discussion: id, to } = inputOf(work);
  const position = positionOf(work);
  if (position.isClean) return end(held, session, position);
  if (position.left) return remove(held, session, position, position.left);
  const discussion = await findDiscussion(db, id, session);
  if (discussion?.move !== work._id) return { position: { ...position, isOver: true } satisfies Position };
  const failure = whyNotPossible(discussion, to);
  if (failure !== null) return giveUp(held, session, discussion, failure);
  if (position.again) return copyAgain(held, session, discussion, position, position.again);
  const rest = discussion.issued - position.copied + (discussion.changed?.length ?? 0);
  return to === 'EMBEDDED' || rest <= LAST_MAX
    ? finish(held, session, discussion, position)
    : copyBatch(held, session, discussion, position);
}

/** Where this move copies to. */
const targetOf = ({ _id, generation }: Moved): Target => ({
  discussion: _id,
  generation: generation + 1,
});

/** No write is kept waiting: what changes after the read is in `changed`, and copied again. */
async function copyBatch(
  { db, work }: HeldWork,
  session: ClientSession,
  discussion: Discussion,
  { copied, page }: Position,
): Promise<WorkStep> {
  const { _id, issued, changed = [] } = discussion;
  if (copied >= issued) {
    // A step of its own: until it is over it conflicts with every write to the discussion, and copying takes longer than their gaps.
    const again = changed.slice(0, BATCH);
    await discussions(db).updateOne({ _id, move: work._id }, { $pullAll: { changed: again } }, { session });
    return { position: { copied, page, again } satisfies Position, total: issued };
  }
  const upTo = Math.min(copied + BATCH, issued);
  const next = await read(db, session, discussion, between(copied, upTo));
  const last = await copying[inputOf(work).to].copy(db, session, targetOf(discussion), next, page);
  return { position: { copied: upTo, page: last } satisfies Position, done: next.length, total: issued };
}

/** As they are by now. What changes after the read is in `changed` again. */
async function copyAgain(
  { db, work }: HeldWork,
  session: ClientSession,
  discussion: Discussion,
  { copied, page }: Position,
  again: readonly number[],
): Promise<WorkStep> {
  const { to } = inputOf(work);
  await copying[to].copyAgain(db, session, targetOf(discussion), await read(db, session, discussion, again));
  return { position: { copied, page } satisfies Position };
}

/** Takes the turn, so that no write is under way, copies the rest and switches. */
async function finish(
  { db, work }: HeldWork,
  session: ClientSession,
  found: Discussion,
  { copied, page }: Position,
): Promise<WorkStep> {
  const { to } = inputOf(work);
  const discussion = await takeTurn(db, session, existing(found._id));
  const { _id, turn, design, generation, issued, changed = [] } = discussion;
  const target = targetOf(discussion);
  const again = to === 'EMBEDDED' ? [] : changed.filter((number) => number <= copied);
  await copying[to].copyAgain(db, session, target, await read(db, session, discussion, again));
  const rest = await read(db, session, discussion, between(to === 'EMBEDDED' ? 0 : copied, issued));
  const last = await copying[to].copy(db, session, target, rest, page);
  // Guard: the turn. One update, by which those who follow the discussion see that the comments in it are copies.
  await discussions(db).updateOne(
    { _id, turn, move: work._id },
    {
      $set: {
        design: to,
        generation: target.generation,
        ...(last && { page: last }),
        ...(to === 'EMBEDDED' && { comments: rest }),
      },
      $unset: { changed: '', ...(!last && { page: '' }), ...(design === 'EMBEDDED' && { comments: '' }) },
    },
    { session },
  );
  const left: Left = { discussion: _id, design, generation, upTo: issued, removed: 0 };
  return { position: { copied: issued, left } satisfies Position, done: issued - work.done, total: issued };
}

/** The discussion has grown beyond what the design holds: what was copied is removed. */
async function giveUp(
  { db, work }: HeldWork,
  session: ClientSession,
  discussion: Discussion,
  failure: string,
): Promise<WorkStep> {
  const { copied } = positionOf(work);
  await discussions(db).updateOne({ _id: discussion._id, move: work._id }, { $unset: { changed: '' } }, { session });
  return { position: { copied, left: copiesOf(work, discussion), failure } satisfies Position };
}

const copiesOf = (work: Pick<WorkDocument, 'input' | 'position'>, discussion: Moved): Left => ({
  ...targetOf(discussion),
  design: inputOf(work).to,
  upTo: positionOf(work).copied,
  removed: 0,
});

/** What a move that has ended too early leaves behind, null for nothing. */
export function leftOf(work: WorkDocument, discussion: Moved): Left | null {
  const { isClean, left } = positionOf(work);
  return isClean ? null : (left ?? copiesOf(work, discussion));
}

async function remove({ db }: HeldWork, session: ClientSession, position: Position, left: Left): Promise<WorkStep> {
  const removed = await copying[left.design].remove(db, session, left);
  const rest: Position =
    removed === null ? { ...position, isClean: true } : { ...position, left: { ...left, removed } };
  return { position: rest };
}

/** A step of its own: the transaction is short enough for a gap between two writes to the discussion. */
async function end({ db, work }: HeldWork, session: ClientSession, position: Position): Promise<WorkStep> {
  const { discussion: _id } = inputOf(work);
  await discussions(db).updateOne({ _id, move: work._id }, { $unset: { move: '' } }, { session });
  return { position: { ...position, isOver: true } satisfies Position };
}

const between = (above: number, upTo: number): number[] =>
  Array.from({ length: Math.max(0, upTo - above) }, (_, at) => above + 1 + at);

/** In the order of their numbers. */
async function read(
  db: Db,
  session: ClientSession,
  discussion: Discussion,
  numbers: readonly number[],
): Promise<StoredComment[]> {
  if (numbers.length === 0) return [];
  const found = await designs[discussion.design].find(db, discussion, numbers, session);
  return found.toSorted((one, other) => one.number - other.number);
}
