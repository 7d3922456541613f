/**
 * Rows of an import that were read and wait to be stored, in the order in which they are: the comments of a discussion by time, each
 * after the one that it replies to. So a file may have any order, however large it is. A row is removed in the step that stores it.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { backgroundWork } from '../../system/work/background-work.js';
import { type CommentState, callOfRow } from '../discussion/comment.js';

export interface StagedRow {
  /** `stagedId`. */
  _id: string;
  /** The id of the import. */
  work: string;
  discussion: string;
  /** When it was posted, or later, if what it replies to was. */
  posted: Date;
  /** How many of the rows above it have the same time and come later in the file. */
  wait: number;
  /** Its number in the file. */
  row: number;
  line: number;
  raw: string;
  id: string;
  reply_to?: string;
  author?: string;
  /** The stored id of an account. */
  author_id?: string;
  edited?: Date;
  text: string | null;
  state: CommentState;
}

const IN_ORDER = { discussion: 1, posted: 1, wait: 1, row: 1 } as const;

export const stagedRows = defineCollection<StagedRow>('comment_import_rows', [
  { key: { work: 1, ...IN_ORDER } }, // findNextRows, removeLeftRows
]);

export const stagedId = (work: string, discussion: string, id: string): string =>
  `${work}.${callOfRow(discussion, id)}`;

/** The rows that are stored next, of one or more discussions. */
export const findNextRows = (db: Db, work: string, limit: number): Promise<StagedRow[]> =>
  stagedRows(db)
    .find({ work })
    .sort({ work: 1, ...IN_ORDER })
    .limit(limit)
    .toArray();

export const findStaged = (db: Db, ids: readonly string[], session?: ClientSession): Promise<StagedRow[]> =>
  stagedRows(db)
    .find({ _id: { $in: [...ids] } }, session ? { session } : {})
    .toArray();

const REMOVED_AT_ONCE = 1000;

/** Removes the rows of an import that stores them no more. May be repeated. */
export async function removeStaged(db: Db, work: string): Promise<void> {
  for (;;) {
    const some = await stagedRows(db)
      .find({ work }, { projection: { _id: 1 } })
      .sort({ work: 1, ...IN_ORDER })
      .limit(REMOVED_AT_ONCE)
      .toArray();
    await stagedRows(db).deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
    failpoint('comment.staged-removed');
    if (some.length < REMOVED_AT_ONCE) return;
  }
}

/** Of imports that have failed. @returns how many imports */
export async function removeLeftRows(db: Db): Promise<number> {
  let removed = 0;
  let after = '';
  for (;;) {
    const next = await stagedRows(db).findOne(
      { work: { $gt: after } },
      { sort: { work: 1, ...IN_ORDER }, projection: { work: 1 } },
    );
    if (!next) return removed;
    after = next.work;
    const work = await backgroundWork(db).findOne({ _id: next.work }, { projection: { open: 1 } });
    if (work?.open) continue;
    await removeStaged(db, next.work);
    removed += 1;
  }
}
