/** Personal data: its export, and what becomes of it with its account. */
import type { MutationResolvers, QueryResolvers } from '../../generated/resolvers.js';
import {
  erasureRulesOf,
  findPersonalDataExport,
  startPersonalDataExport,
} from '../../models/system/personal-data/personal-data.js';
import { requirePerson } from '../../server/identity/viewer.js';

export const Query: Pick<QueryResolvers, 'erasureRules' | 'myDataExport'> = {
  myDataExport: (_root, _args, { db, viewer }) => findPersonalDataExport(db, requirePerson(viewer)),
  erasureRules: (_root, _args, { personalData }) => erasureRulesOf(personalData),
};

export const Mutation: Pick<MutationResolvers, 'exportMyData'> = {
  exportMyData: async (_root, _args, context) => {
    const work = await startPersonalDataExport(context.db, requirePerson(context.viewer), context.now());
    context.work.wake();
    return work;
  },
};
