/** Reports of posts, and what editors decide about them. To remove a post, they delete it. */
import type { Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { type Act, recordAct } from '../../people/audit.js';
import { type PostDocument, posts } from './post.js';

const REASON_LENGTH_MAX = 500;
const REPORTS_MAX = 20;
const FIRST_MAX = 100;
const LIST = 'reported-posts';

/** @throws InputError */
export const requireReason = (reason: string): string => requireVisible('reason', reason, REASON_LENGTH_MAX);

/** A post that the reader sees. The same person again changes nothing. @param reason as `requireReason` returns it */
export async function reportPost(
  db: Db,
  id: string,
  report: { readonly by: string; readonly reason: string; readonly at: Date },
): Promise<void> {
  await posts(db).updateOne(
    { _id: id, live: true, 'reports.by': { $ne: report.by } }, // guard: one report of a person
    { $push: { reports: { $each: [report], $slice: -REPORTS_MAX } as never }, $min: { reported: report.at } },
  );
}

const WITHDRAWN_AT_ONCE = 100;

/** Takes back all reports of a person. A post that nobody else has reported is no longer listed. @returns how many */
export async function withdrawReports(db: Db, by: string): Promise<number> {
  for (let withdrawn = 0; ; ) {
    const some = await findReportedBy(db, by).limit(WITHDRAWN_AT_ONCE).toArray();
    if (some.length === 0) return withdrawn;
    const others = { $filter: { input: '$reports', cond: { $ne: ['$$this.by', { $literal: by }] } } };
    const unlessNone = (field: string) => ({ $cond: [{ $eq: ['$reports', []] }, '$$REMOVE', field] });
    const updates = some.map(({ _id }) => ({
      updateOne: {
        filter: { _id, 'reports.by': by }, // guard: it was not dismissed or withdrawn meanwhile
        update: [
          { $set: { reports: others } },
          { $set: { reported: unlessNone('$reported'), reports: unlessNone('$reports') } },
        ],
      },
    }));
    await posts(db).bulkWrite(updates, { ordered: false });
    failpoint('social.reports-withdrawn');
    withdrawn += some.length;
  }
}

/** The posts that a person has reported, as long as nobody has decided. */
export const findReportedBy = (db: Db, by: string) =>
  posts(db)
    .find({ 'reports.by': by, reported: { $exists: true } }, { projection: { reports: { $elemMatch: { by } } } })
    .sort({ _id: 1 });

/** @returns whether there was something to dismiss */
export async function dismissReports(db: Db, act: Act, id: string): Promise<boolean> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const { modifiedCount } = await posts(db).updateOne(
      { _id: id, reported: { $exists: true } }, // guard: nobody else was quicker
      { $unset: { reports: '', reported: '' } },
      { session },
    );
    if (modifiedCount === 0) return false;
    await recordAct(db, session, act, { action: 'POST_REPORTS_DISMISSED', subject: id });
    return true;
  });
  return value;
}

/** The oldest report first. @throws InputError @throws LimitError @throws CursorError */
export async function findReportedPosts(db: Db, { first, after }: PageInput): Promise<Connection<PostDocument>> {
  const limit = requireFirst(first, FIRST_MAX) + 1;
  const [ms, id] = after ? decodePosition(LIST, after, ['number', 'string']) : [0, ''];
  const at = new Date(Number(ms));
  const found = await posts(db)
    .find({ reported: { $gte: at }, $or: [{ reported: { $gt: at } }, { reported: at, _id: { $gt: String(id) } }] })
    .sort({ reported: 1, _id: 1 })
    .limit(limit)
    .toArray();
  return toConnection(found, first, ({ reported, _id }) => encodePosition(LIST, [reported?.getTime() ?? 0, _id]));
}
