/**
 * The second part of an import: staged rows become comments, up to a hundred of a discussion in a transaction, which takes the turn of
 * the discussion as every write does. A row that is here already is found by what its comment names as its call.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { idOfType } from '../../shared/global-id.js';
import type { CommentHost } from '../commentable.js';
import type { AuthorReference } from '../people/author.js';
import { findUsersById } from '../people/user.js';
import { type RejectedRow, type RowsStep, recordRows } from '../system/work/data-import.js';
import type { HeldWork } from '../work.js';
import { type Comment, callOfRow, DEPTH_MAX, depthOf, numbersOf, parentOf, partsOfId } from './discussion/comment.js';
import { isThere, type Subject, takeTurn } from './discussion/discussion.js';
import { DiscussionEdit } from './discussion-edit.js';
import { RowError } from './import/comment-row.js';
import type { Places } from './import/places.js';
import { findLaterPlaces, isBefore, type Place } from './import/row-order.js';
import { findNextRows, type StagedRow, stagedRows } from './import/staged-row.js';

/** As many as writers share a transaction: whoever comments meanwhile does not wait longer for an import than for the others. */
const BATCH_ROWS = 100;
const BATCH_BYTES = 1024 * 1024;
/** Between two transactions on a discussion: those who comment take their turns in such gaps. */
const GAP_MS = 20;

type Accounts = ReadonlySet<string>;

/** Stores the next rows. @returns whether there were some */
export async function storeNextRows(held: HeldWork, places: Places): Promise<boolean> {
  const next = await findNextRows(held.db, held.work._id, BATCH_ROWS);
  const [first] = next;
  if (!first) return false;
  const batch = upToBytes(next.filter(({ discussion }) => discussion === first.discussion));
  const later = await findLaterPlaces(held.db, batch);
  const subject = await places.findDiscussed(first.discussion);
  const accounts = await findAccounts(held.db, batch);
  await recordRows(held, (session) =>
    storeBatch(held.db, session, subject, { batch, later, accounts, hosts: places.hosts }),
  );
  failpoint('comment.import-stored');
  if (batch.length === BATCH_ROWS) await pause(GAP_MS); // otherwise the next rows are of another discussion
  return true;
}

/** A row that is larger than the bound is a batch of its own. */
function upToBytes(rows: readonly StagedRow[]): readonly StagedRow[] {
  let bytes = 0;
  const end = rows.findIndex(({ text }) => {
    bytes += Buffer.byteLength(text ?? '');
    return bytes > BATCH_BYTES;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

async function findAccounts(db: Db, batch: readonly StagedRow[]): Promise<Accounts> {
  const ids = new Set(batch.flatMap(({ author_id }) => author_id ?? []));
  const found = ids.size === 0 ? [] : await findUsersById(db, [...ids]);
  return new Set(found.map(({ _id }) => _id));
}

interface Batch {
  readonly batch: readonly StagedRow[];
  readonly later: ReadonlyMap<string, Place | null>;
  readonly accounts: Accounts;
  readonly hosts: readonly CommentHost[];
}

async function storeBatch(
  db: Db,
  session: ClientSession,
  subject: Subject | null,
  { batch, later, accounts, hosts }: Batch,
): Promise<RowsStep> {
  const due = beforeLater(batch, later);
  const rejects: RejectedRow[] = [];
  let [imported, skipped] = [0, 0];
  const thread = subject && (await Thread.read(db, session, subject, due, { accounts, hosts }));
  for (const row of due) {
    try {
      if (later.has(row._id)) throw new RowError('REPLIES_IN_CIRCLE', 'replyTo');
      if (!thread) throw new RowError('NO_COMMENTABLE', 'on');
      if (await thread.store(row)) imported += 1;
      else skipped += 1;
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      rejects.push({ row: row.row, line: row.line, reason: error.reason, field: error.field, raw: row.raw });
    }
  }
  await thread?.write();
  await stagedRows(db).deleteMany({ _id: { $in: due.map(({ _id }) => _id) } }, { session });
  const moved = [...later].flatMap(([_id, place]) =>
    place ? [{ updateOne: { filter: { _id }, update: { $set: place } } }] : [],
  );
  if (moved.length > 0) await stagedRows(db).bulkWrite(moved, { session });
  return { imported, skipped, rejects, isGoingOn: due.length < batch.length };
}

/** Those that come before the first one that gets a later place: what comes behind it would be too late for it. */
function beforeLater(batch: readonly StagedRow[], later: Batch['later']): readonly StagedRow[] {
  const placed = batch.map((row) => ({ row, place: { ...row, ...later.get(row._id) } }));
  const inOrder = placed.toSorted((one, other) => (isBefore(one.place, other.place) ? -1 : 1));
  const end = inOrder.findIndex(({ row }) => later.get(row._id));
  return (end < 0 ? inOrder : inOrder.slice(0, end)).map(({ row }) => row);
}

/** A discussion, as a batch of rows changes it. */
class Thread {
  private constructor(
    private readonly edit: DiscussionEdit,
    private readonly subject: Subject,
    /** Those that are here, and that become so, by `callOfRow`. */
    private readonly byRow: Map<string, Comment>,
    private readonly accounts: Accounts,
  ) {}

  /** Takes the turn, and reads at once what the rows depend on. @returns null if what is commented on is gone */
  static async read(
    db: Db,
    session: ClientSession,
    subject: Subject,
    rows: readonly StagedRow[],
    { accounts, hosts }: Pick<Batch, 'accounts' | 'hosts'>,
  ): Promise<Thread | null> {
    if (!(await isThere(db, session, hosts, subject.discussion))) return null;
    const edit = new DiscussionEdit(db, session, await takeTurn(db, session, subject), hosts);
    const ids = [...new Set(rows.flatMap(({ id, reply_to }) => (reply_to === undefined ? [id] : [id, reply_to])))];
    const { discussion } = subject;
    const byRow = new Map(await edit.findByCalls(ids.map((id) => callOfRow(discussion, id))));
    const own = ids.flatMap((id) => numberOfOwn(discussion, id) ?? []);
    await edit.load([...own, ...[...byRow.values()].flatMap(({ path }) => numbersOf(path))]);
    const thread = new Thread(edit, subject, byRow, accounts);
    for (const number of own) {
      const comment = await edit.find(number);
      if (comment) await edit.load(numbersOf(comment.path));
    }
    return thread;
  }

  /** @returns whether it was missing @throws RowError, and then nothing has changed */
  async store(row: StagedRow): Promise<boolean> {
    const parent = row.reply_to === undefined ? null : await this.#find(row.reply_to);
    const posted = parent && parent.posted > row.posted ? parent.posted : row.posted;
    const present = await this.#find(row.id);
    if (present && present.posted.getTime() !== posted.getTime()) throw new RowError('ID_TAKEN', 'id');
    if (present) return false;
    if (row.reply_to !== undefined && !parent) throw new RowError('NO_PARENT', 'replyTo');
    if (parent?.state === 'HELD') throw new RowError('PARENT_WAITS', 'replyTo');
    if (posted < this.edit.lastPosted) throw new RowError('OLDER', 'postedAt');
    if (this.edit.isFull(row.text ?? '')) throw new RowError('DISCUSSION_FULL');
    const call = callOfRow(this.subject.discussion, row.id);
    const above = parent && (await this.#aboveOf(parent));
    const { text, state, edited } = row;
    this.byRow.set(
      call,
      this.edit.add({ author: this.#authorOf(row), text, state, posted, parent: above, call, edited }),
    );
    return true;
  }

  /** A reply to one of the deepest comments comes beside it. */
  async #aboveOf(parent: Comment): Promise<Comment | null> {
    if (depthOf(parent.path) < DEPTH_MAX - 1) return parent;
    return this.edit.find(parentOf(parent.path) ?? 0);
  }

  /** By the id of its row, or its global id, if it was exported from here. */
  async #find(id: string): Promise<Comment | null> {
    const { discussion } = this.subject;
    const imported = this.byRow.get(callOfRow(discussion, id));
    if (imported) return imported;
    const number = numberOfOwn(discussion, id);
    return number === null ? null : this.edit.find(number);
  }

  /** The name of an account is read with it, wherever it is shown. */
  #authorOf({ author = '', author_id }: StagedRow): AuthorReference {
    return author_id !== undefined && this.accounts.has(author_id) ? { _id: author_id, name: '' } : { name: author };
  }

  write(): Promise<void> {
    return this.edit.write();
  }
}

/** The number in a global id of a comment of this discussion, or null. */
function numberOfOwn(discussion: string, id: string): number | null {
  const parts = partsOfId(idOfType('Comment', id) ?? '');
  return parts?.discussion === discussion ? parts.number : null;
}
