/** The erasure of what an account has written dies: the same call continues, and nothing is left. */
import { expect } from 'vitest';
import { commentCases } from '../../src/models/comments/comment-case.js';
import { readCommentsOf } from '../../src/models/comments/comments-of.js';
import { comments } from '../../src/models/comments/discussion/comment.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { eraseCommentsOf } from '../../src/models/comments/erasure.js';
import type { ProgramScenario } from '../crash/scenario.js';

const ACCOUNT = 'an-account';

export const erasure: ProgramScenario<null> = {
  failpoints: { 'comments.erased': 2, 'comments.reports-withdrawn': 2 },
  program: 'test/comments/erasure-program.mjs',
  variables: { ACCOUNT },
  seen: null,
  async judge(_product, db) {
    const countLeft = async () => {
      let left = 0;
      for await (const _comment of readCommentsOf(db, ACCOUNT)) left += 1;
      return left;
    };
    const left = await countLeft();
    expect(left + (await comments(db).countDocuments({ state: 'DELETED' }))).toBe(90);
    expect(await commentCases(db).countDocuments()).toBeLessThanOrEqual(3);
    expect(await eraseCommentsOf(db, new DiscussionWriter(), ACCOUNT)).toBe(left);
    expect(await countLeft()).toBe(0);
    expect(await commentCases(db).countDocuments()).toBe(0);
  },
};
