/** The erasure of what an account has written dies: the same call continues, and nothing is left. */
import { expect } from 'vitest';
import { commentCases } from '../../src/models/comments/comment-case.js';
import { readCommentsOf } from '../../src/models/comments/comments-of.js';
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
    const read = async () => {
      const states: string[] = [];
      for await (const { state } of readCommentsOf(db, ACCOUNT)) states.push(state);
      return states;
    };
    const states = await read();
    expect(states).toHaveLength(90);
    expect(await commentCases(db).countDocuments()).toBeLessThanOrEqual(3);
    const left = states.filter((state) => state !== 'DELETED').length;
    expect(await eraseCommentsOf(db, new DiscussionWriter(), ACCOUNT)).toBe(left);
    expect(new Set(await read())).toEqual(new Set(['DELETED']));
    expect(await commentCases(db).countDocuments()).toBe(0);
  },
};
