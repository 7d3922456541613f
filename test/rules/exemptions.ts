/** What the rules of the capture allow, each with its reason. A line that nothing needs any more is to be taken out. */
import type { PlanFault } from '../support/explain.js';

/** Query shapes whose plan may have these faults. */
export const exemptQueries: Readonly<
  Record<string, { readonly allow: readonly PlanFault[]; readonly reason: string }>
> = {};

/** Writes to many documents at once: a sharded cluster sends each to every shard, and a crash may leave a part of it. */
export const multiDocumentWrites: Readonly<Record<string, string>> = {};

/** Collections that are not to be sharded, so their unique indexes need not begin with a shard key. */
export const unshardedCollections: Readonly<Record<string, string>> = {};

/** Operations that write twice without a failpoint between. */
export const exemptOperations: Readonly<Record<string, string>> = {};

/** Collections of libraries, which have their own ways. */
export const foreignCollections: Readonly<Record<string, string>> = {
  jobs: "Agenda's",
  agendaJobs: "Agenda's",
};
