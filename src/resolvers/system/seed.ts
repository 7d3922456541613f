/** Sample data of the domains. */
import type {
  MutationResolvers,
  QueryResolvers,
  SeedDomainResultResolvers,
  SeedResolvers,
  UndoSeedResultResolvers,
} from '../../generated/resolvers.js';
import { domainOfSeed, SEED_TYPE } from '../../models/seed.js';
import { findSeeds, requestSeedUndo, startSeed } from '../../models/system/work/seed.js';
import { idOfType } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import { resultType } from '../support/result-type.js';
import { workFields, workOwnerFilter } from '../support/work.js';

export const Seed: SeedResolvers = {
  ...workFields,
  domain: (work) => domainOfSeed(work),
  kept: ({ kept }) => kept ?? 0,
};

export const SeedDomainResult: SeedDomainResultResolvers = { __resolveType: resultType(SEED_TYPE) };
export const UndoSeedResult: UndoSeedResultResolvers = { __resolveType: resultType(SEED_TYPE) };

export const Query: Pick<QueryResolvers, 'seeds'> = {
  seeds: (_root, _args, { db, domains }) => findSeeds(db, domains),
};

export const Mutation: Pick<MutationResolvers, 'seedDomain' | 'undoSeed'> = {
  seedDomain: async (_root, { domain }, context) => {
    const { db, domains, viewer, work } = context;
    const owner = workOwnerFilter(viewer, true);
    const outcome = await startSeed(db, await actOfViewer(context), { domain, owner, domains });
    if ('_id' in outcome && outcome.open) work.wake();
    return outcome;
  },
  undoSeed: async (_root, { id }, context) => {
    const { db, domains, work } = context;
    const outcome = await requestSeedUndo(db, await actOfViewer(context), idOfType(SEED_TYPE, id), domains);
    if ('_id' in outcome && outcome.open) work.wake();
    return outcome;
  },
};
