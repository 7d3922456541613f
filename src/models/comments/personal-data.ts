/** What comments store about an account, and what becomes of it. */
import type { Db } from 'mongodb';
import { type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { commentCases, findCasesReportedBy } from './comment-case.js';
import { readCommentsOf } from './comments-of.js';
import { commentPages } from './designs/comment-page.js';
import { comments } from './discussion/comment.js';
import { discussions } from './discussion/discussion.js';
import { DiscussionWriter } from './discussion-write.js';
import { eraseCommentsOf } from './erasure.js';

const files = {
  'comments.jsonl': 'Comments that you have written',
  'comment-reports.jsonl': 'Comments that you have reported, and nobody has decided about',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  yield* rowsIn('comments.jsonl', readCommentsOf(db, accountId), (comment) => comment);
  for await (const { _id, reports } of findCasesReportedBy(db, accountId))
    for (const { at, reason } of reports) yield { file: 'comment-reports.jsonl', row: { comment: _id, at, reason } };
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'Comments',
    collections: [comments, commentPages, discussions],
    becomes: 'ERASED',
    reason:
      'Their texts are deleted. The place of a comment stays, without its author, and is shown as long as it has replies',
  },
  {
    data: 'Reports of comments',
    collections: [commentCases],
    becomes: 'ERASED',
    reason: 'They ask a moderator on behalf of the person',
  },
];

export const personalData: PersonalData = {
  files,
  rows,
  erase: (db, accountId, _now, commentHosts) => eraseCommentsOf(db, new DiscussionWriter(commentHosts), accountId),
  erasure,
};
