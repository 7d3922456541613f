/** What is wrong in the database. */
import type { QueryResolvers } from '../../generated/resolvers.js';
import { findFirstViolations } from '../../models/invariants.js';

const VIOLATIONS_MAX = 1000;

export const Query: Pick<QueryResolvers, 'violations'> = {
  violations: async (_root, _args, { db }) =>
    (await findFirstViolations(db, VIOLATIONS_MAX)).map(({ domain, invariant, subject, expected, found }) => ({
      domain,
      invariant,
      subject,
      detail: `${found} where ${expected} was expected`,
    })),
};
