/** Public posts on their authors' own walls, by the function of the model. */
import type { Db } from 'mongodb';
import { unkeyed } from '../../src/database/index.js';
import { publishPost } from '../../src/models/social/posts/publishing.js';

let posted = 0;

/** @param text default: one of its own @returns its id */
export async function post(db: Db, author: string, text?: string): Promise<string> {
  posted += 1;
  const outcome = await publishPost(db, {
    author,
    wall: author,
    about: null,
    input: { type: 'STATUS', text: text ?? `Post ${posted}`, audience: 'PUBLIC', circles: [] },
    attempt: unkeyed(`bench-${posted}`, new Date()),
    now: new Date(),
  });
  if ('__typename' in outcome) throw new Error(outcome.message);
  return outcome._id;
}
