/** What the lists of the network have of imports. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';
import type { MutationStep } from '../../support/domain/mutation-step.js';
import type { TextPlaces } from '../../support/domain/text-places.js';

/** None: a step has no file. `test/social/import/network-import-api.test.ts` tests the upload, what it writes, and its entry. */
export const mutationSteps: readonly MutationStep[] = [];

export const auditDecisions: AuditDecisions = {
  audited: { importNetwork: 'NETWORK_IMPORTED' },
  notAdministrative: {},
};

export const textPlaces: TextPlaces = {
  names: {},
  others: ['ImportNetworkInput.source'], // a name that comes with an upload: see `test/social/import/network-import-api.test.ts`
};
