/** Starting work, and having it undone. What a process accepted here is done by a process that may be another one. */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction, isDuplicateKey } from '../../../database/index.js';
import { BusyError, LimitError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Act, type AuditAction, recordAct } from '../../people/audit.js';
import type { WorkDocument, WorkKind } from '../../work.js';
import { backgroundWork, findOpenWork, findVisibleWork } from './background-work.js';

export interface NewWork {
  /** Chosen by the caller: the same id again is the same work. */
  readonly id: string;
  readonly kind: Pick<WorkKind, 'name' | 'type'>;
  /** Null for a command. */
  readonly owner: string | null;
  readonly input: object;
  readonly total?: number;
  /** The file that it reads, stored under its id before (`work-file.ts`), or the name of the one that it writes. */
  readonly file?: { readonly name: string; readonly bytes: number };
  /** For an export: a secret that lets somebody download its file (`data-export.ts`). */
  readonly downloadKey?: string;
}

/** So that nobody can keep the others waiting for days. */
const OPEN_PER_OWNER_MAX = 20;
const OPEN_MAX = 1000;
const RETRY_MS = 60_000;

/**
 * Stores work to be done. Then call `wake` of the process's `WorkService`, so that it starts at once.
 * @throws LimitError the owner has 20 that have not ended @throws BusyError there are 1,000
 */
export async function startWork(
  db: Db,
  { id, kind, owner, input, total, file, downloadKey }: NewWork,
  now: Date,
  session?: ClientSession,
): Promise<WorkDocument> {
  await requireRoom(db, owner);
  const document: WorkDocument = {
    _id: id,
    kind: kind.name,
    type: kind.type,
    owner,
    state: 'WAITING',
    open: true,
    input,
    done: 0,
    ...(total !== undefined && { total }),
    token: 0,
    steps: 0,
    attempts: 0,
    created_at: now,
    ...(file && { file_name: file.name, bytes: file.bytes }),
    ...(downloadKey !== undefined && { download_key: downloadKey }),
  };
  try {
    await backgroundWork(db).insertOne(document, session ? { session } : {}); // guard: `_id` is the caller's
    return document;
  } catch (error) {
    if (!isDuplicateKey(error) || session) throw error;
    return (await backgroundWork(db).findOne({ _id: id })) ?? document;
  }
}

/** @throws LimitError @throws BusyError Requests at the same moment may exceed the bounds by their number. */
async function requireRoom(db: Db, owner: string | null): Promise<void> {
  const open = await findOpenWork(db);
  if (open.length >= OPEN_MAX) throw new BusyError('Too much background work is waiting', RETRY_MS);
  if (open.filter((each) => each.owner === owner).length < OPEN_PER_OWNER_MAX) return;
  throw new LimitError(
    `You have ${OPEN_PER_OWNER_MAX} pieces of background work that have not ended: wait for one to end`,
    OPEN_PER_OWNER_MAX,
  );
}

export interface UndoRequest {
  readonly id: string;
  /** Its GraphQL type. */
  readonly type: string;
  /** Null for an administrator, who may undo everybody's. */
  readonly owner: string | null;
  readonly kinds: readonly WorkKind[];
  /** How it is named to the user, and in the audit trail. Default: an import. */
  readonly words?: UndoWords;
}

export interface UndoWords {
  readonly action: AuditAction;
  readonly noun: string;
  /** Default: the name of its file. */
  readonly subject?: string;
}

const IMPORT: UndoWords = { action: 'IMPORT_UNDONE', noun: 'import' };

/**
 * Marks work to be undone, which a worker then does. Work already undone is returned unchanged.
 * @returns the work, or a refusal if nothing has changed
 */
export async function requestUndo(
  db: Db,
  act: Act,
  { id, type, owner, kinds, words: { action, noun, subject } = IMPORT }: UndoRequest,
): Promise<WorkDocument | Refusal<'WorkNotFound'> | Refusal<'WorkBusy', { work: WorkDocument }>> {
  const found = await findVisibleWork(db, owner, id, type);
  const canUndo = kinds.some(({ name, undo }) => undo && name === found?.kind);
  if (!found || !canUndo) return refuse('WorkNotFound', `No ${noun} has this id, or it cannot be undone`);
  const { value: marked } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const undoing = await backgroundWork(db).findOneAndUpdate(
      // Guard: nobody works on it, from here on only to undo it, and it is not being removed.
      { _id: id, state: { $in: ['FINISHED', 'FAILED'] }, removing: { $exists: false } },
      { $set: { state: 'UNDOING', open: true, attempts: 0 }, $unset: { failure: '', position: '', finished_at: '' } },
      { session, returnDocument: 'after' },
    );
    if (undoing) {
      const name = subject ?? undoing.file_name ?? undoing.kind;
      await recordAct(db, session, act, { action, subject: name, detail: undoing.kind });
    }
    return undoing;
  });
  if (marked) return marked;
  const work = (await backgroundWork(db).findOne({ _id: id })) ?? found;
  if (work.state === 'UNDONE') return work;
  const doing = work.state === 'UNDOING' ? 'already being undone' : 'still running';
  return refuse('WorkBusy', `The ${noun} is ${doing}`, { work });
}
