/**
 * Exemptions from the capture's rules, each with its reason, collected from the domains. Remove entries that are no longer needed: a
 * complete run fails on one that was not used.
 */
import { domains } from '../domains.js';
import type { Exemptions, PlanExemption, Reasons } from '../support/domain/test-domain.js';

/** Of the code that belongs to no domain. */
const shared: Exemptions = {
  writesBesideOperations: {
    'src/database/collections/lease.ts renewLease':
      'on a timer, next to the work; it extends a lease that is still held, so it may happen between any two steps',
  },
};
const all: readonly Exemptions[] = [shared, ...domains.map(({ exemptions = {} }) => exemptions)];

const collect = (kind: Exclude<keyof Exemptions, 'queries'>): Reasons =>
  Object.assign({}, ...all.map((exemptions) => exemptions[kind]));

export const exemptQueries: Readonly<Record<string, PlanExemption>> = Object.assign(
  {},
  ...all.map(({ queries }) => queries),
);
export const multiDocumentWrites = collect('multiDocumentWrites');
export const shardKeyOnlyWhereSharded = collect('shardKeyOnlyWhereSharded');
export const unshardedCollections = collect('unshardedCollections');
export const exemptOperations = collect('operations');
export const writesBesideOperations = collect('writesBesideOperations');
