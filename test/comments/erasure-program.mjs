/**
 * A process that erases what an account has written until it dies at a failpoint: 30 comments on each of three objects, and a report on
 * each of them. Usage: node erasure-program.mjs
 */
import { connect } from '../../dist/database/connection/client.js';
import { buildIndexes } from '../../dist/database/index.js';
import { DiscussionWriter } from '../../dist/models/comments/discussion-write.js';
import { eraseCommentsOf } from '../../dist/models/comments/erasure.js';
import { reportComment } from '../../dist/models/comments/moderation.js';
import { postComment } from '../../dist/models/comments/posting.js';
import { armFailpoint } from '../../dist/shared/failpoint.js';

const { MONGODB_URI, MONGODB_DATABASE, SEXTANT_FAILPOINT, ACCOUNT } = process.env;
const { client, db } = await connect(MONGODB_URI, MONGODB_DATABASE);
await buildIndexes(db);
const [writer, now] = [new DiscussionWriter(), new Date()];
for (const design of ['ONE_EACH', 'EMBEDDED', 'HYBRID']) {
  const subject = { discussion: `Test:${design}`, policy: 'MEMBERS', design, ownerIds: [] };
  const post = (by) => {
    const author = { _id: by, name: '' };
    return postComment(db, writer, subject, { author, isMember: true, text: `Of ${by}`, replyTo: null, now });
  };
  const { number } = await post('somebody');
  await Promise.all(Array.from({ length: 30 }, () => post(ACCOUNT)));
  await reportComment(db, writer, subject, { number, by: ACCOUNT, reason: 'Rude', now });
}
armFailpoint(SEXTANT_FAILPOINT);
await eraseCommentsOf(db, writer, ACCOUNT);
await client.close();
