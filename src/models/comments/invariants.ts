/** What must hold in every discussion at any time: all counts of one batch are read at one cluster time. */
import type { ClientSession, Db, Document } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import type { Violation } from '../domain.js';
import { commentPages } from './designs/comment-page.js';
import { comments } from './discussion/comment.js';
import { type Discussion, discussions } from './discussion/discussion.js';

export async function* findDiscussionViolations(db: Db, visited: Visited): AsyncGenerator<Omit<Violation, 'domain'>> {
  for await (const { documents, session } of inSnapshotBatches(db, discussions(db), {
    projection: { comments: 0 },
    visited,
  })) {
    for (const discussion of documents) {
      const found = await countPublished(db, session, discussion);
      if (found !== discussion.count)
        yield { invariant: 'comments-counted', subject: discussion._id, expected: found, found: discussion.count };
    }
  }
}

const PUBLISHED: Document = {
  $size: { $filter: { input: '$comments', cond: { $eq: ['$$this.state', 'PUBLISHED'] } } },
};

async function countPublished(
  db: Db,
  session: ClientSession,
  { _id, design, generation }: Discussion,
): Promise<number> {
  if (design === 'ONE_EACH')
    return comments(db).countDocuments({ discussion: _id, shown: true, state: 'PUBLISHED' }, { session });
  const [counted] =
    design === 'EMBEDDED'
      ? await discussions(db)
          .aggregate<{ count: number }>([{ $match: { _id } }, { $project: { count: PUBLISHED } }], { session })
          .toArray()
      : await commentPages(db)
          .aggregate<{ count: number }>(
            [{ $match: { discussion: _id, generation } }, { $group: { _id: null, count: { $sum: PUBLISHED } } }],
            { session },
          )
          .toArray();
  return counted?.count ?? 0;
}
