/** Content's exemptions from the rules for queries and writes. */
import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'delete many cms.versions {_id.node}':
      'removes the versions of a node that is marked for good; the next run deletes what a crash leaves',
    'delete many cms.redirects {node_id}':
      'removes the redirects to a node that is marked for good; the next run deletes what a crash leaves',
  },
};
