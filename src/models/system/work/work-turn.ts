/**
 * The writes of the process that holds the lease of a piece of work. Each names the holder's token in its filter, so a process that
 * lost the lease writes nothing.
 */
import type { ClientSession, Db, Document } from 'mongodb';
import { commitConcernOf, findHeldLeases, inTransaction, LeaseLostError } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import type { StepWrites, WorkDocument, WorkStep } from '../../work.js';
import { backgroundWork, findOpenWork, type OpenWork } from './background-work.js';

export const leaseOf = (id: string): string => `work ${id}`;

/** A process that dies each time it takes up some work must not do so forever. */
const ATTEMPTS_MAX = 8;
const FAILURE_LENGTH_MAX = 1000;
const GIVEN_UP = `It was interrupted ${ATTEMPTS_MAX} times in a row without any progress`;

/**
 * Open work that no process is doing, in the order in which to take it up: first that of owners of whom less is being done,
 * and of the same owner the oldest.
 * @param kinds the names of the kinds that this process knows
 */
export async function findWorkToDo(db: Db, kinds: ReadonlySet<string>): Promise<OpenWork[]> {
  const open = (await findOpenWork(db)).filter(({ kind }) => kinds.has(kind));
  if (open.length === 0) return [];
  const held = await findHeldLeases(
    db,
    open.map(({ _id }) => leaseOf(_id)),
  );
  const doing = new Map<string | null, number>();
  const isHeld = ({ _id }: OpenWork) => held.has(leaseOf(_id));
  for (const { owner } of open.filter(isHeld)) doing.set(owner, (doing.get(owner) ?? 0) + 1);
  const share = ({ owner }: OpenWork) => doing.get(owner) ?? 0;
  return open.filter((each) => !isHeld(each)).sort((one, other) => share(one) - share(other)); // stable: by age
}

/**
 * Takes over open work with a new lease. Work that was interrupted too often ends here, as failed.
 * @returns null when there is nothing to do
 */
export async function takeUp(db: Db, id: string, token: number): Promise<WorkDocument | null> {
  const isGivenUp = { $gte: ['$attempts', ATTEMPTS_MAX] };
  const isUndoing = { $eq: ['$state', 'UNDOING'] };
  const taken = await backgroundWork(db).findOneAndUpdate(
    { _id: id, open: true, token: { $lt: token } }, // guard: no later lease holder
    [
      {
        $set: {
          token,
          attempts: { $add: ['$attempts', 1] },
          state: { $cond: [isGivenUp, 'FAILED', { $cond: [isUndoing, 'UNDOING', 'RUNNING'] }] },
          open: { $cond: [isGivenUp, '$$REMOVE', true] },
          failure: { $cond: [isGivenUp, GIVEN_UP, '$$REMOVE'] },
          finished_at: { $cond: [isGivenUp, '$$NOW', '$$REMOVE'] },
          started_at: { $ifNull: ['$started_at', '$$NOW'] },
        },
      },
    ],
    { returnDocument: 'after' },
  );
  return taken?.open ? taken : null;
}

/**
 * Records a step with the writes that it consists of, all or nothing.
 * @returns the work afterwards
 * @throws LeaseLostError another process has taken over, or the step is recorded already
 */
export async function recordStep(
  db: Db,
  held: Readonly<WorkDocument>,
  step: WorkStep | StepWrites,
): Promise<WorkDocument> {
  if (typeof step !== 'function') return advance(db, held, step);
  const write = async (session: ClientSession) => {
    const fenced = await advance(db, held, {}, session); // first: it locks the work, so nobody else can write for it
    const written = await step(session);
    return advance(db, fenced, written, session);
  };
  // Two processes that insert the same key at once: one of them finds it at its next attempt.
  return (await inTransaction(db, commitConcernOf.MAJORITY, write, { retryDuplicateKeys: true })).value;
}

async function advance(
  db: Db,
  { _id, token, steps }: Readonly<WorkDocument>,
  { position, done = 0, total, counts }: WorkStep,
  session?: ClientSession,
): Promise<WorkDocument> {
  const set: Partial<WorkDocument> = {
    attempts: 0,
    ...(position && { position }),
    ...(total !== undefined && { total }),
  };
  const change = { $set: set, $inc: { ...counts, steps: 1, done } };
  const advanced = await backgroundWork(db).findOneAndUpdate(
    { _id, token, steps, open: true }, // guard: no later holder, and no step was recorded since
    change,
    { returnDocument: 'after', ...(session && { session }) },
  );
  if (!advanced) throw new LeaseLostError(`The work ${_id} was taken over by another process`);
  return advanced;
}

/** The work ends. @param failure null when all is done */
export async function endWork(
  db: Db,
  { _id, token, state }: Readonly<WorkDocument>,
  failure: string | null,
): Promise<WorkDocument> {
  const ended = state === 'UNDOING' ? 'UNDONE' : 'FINISHED';
  const change = {
    state: failure === null ? ended : 'FAILED',
    finished_at: '$$NOW',
    failure: failure === null ? '$$REMOVE' : { $literal: failure.slice(0, FAILURE_LENGTH_MAX) },
  };
  return changeHeld(db, { _id, token }, [{ $set: change }, { $unset: ['open'] }]);
}

/** The process stops. Whoever takes the work up next continues it at once, and this was no failed attempt. */
export async function putDown(db: Db, { _id, token, state }: Readonly<WorkDocument>): Promise<WorkDocument> {
  const waiting = state === 'UNDOING' ? 'UNDOING' : 'WAITING';
  return changeHeld(db, { _id, token }, [{ $set: { state: waiting, attempts: 0 } }]);
}

async function changeHeld(
  db: Db,
  { _id, token }: Pick<WorkDocument, '_id' | 'token'>,
  change: Document[],
): Promise<WorkDocument> {
  const changed = await backgroundWork(db).findOneAndUpdate(
    { _id, token, open: true }, // guard: no later holder
    change,
    { returnDocument: 'after' },
  );
  if (!changed) throw new LeaseLostError(`The work ${_id} was taken over by another process`);
  failpoint('work.changed');
  return changed;
}

/** The work as it is stored. @throws LeaseLostError */
export async function requireHeld(db: Db, { _id, token }: Readonly<WorkDocument>): Promise<WorkDocument> {
  const held = await backgroundWork(db).findOne({ _id, token });
  if (!held) throw new LeaseLostError(`The work ${_id} was taken over by another process`);
  return held;
}
