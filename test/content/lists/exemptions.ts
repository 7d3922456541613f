/** Content's exemptions from the rules for queries and writes. */
import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'delete many cms.redirects {_id: {$in}}':
      'removes the redirects from places that new nodes take, in the transaction that stores them',
    'delete many cms.versions {_id.node: {$in}}': 'removes the versions of nodes in the transaction that removes them',
    'delete many cms.redirects {node_id: {$in}, gone_until: {$exists: false}}':
      'removes the redirects to nodes in the transaction that removes them',
    'delete many cms.versions {_id.node, version: {$gt}}':
      'removes the last versions of a node in the transaction that puts the one before them back',
    'delete many cms.versions {_id.node}':
      'removes the versions of a node that is marked for good; the next run deletes what a crash leaves',
    'delete many cms.redirects {node_id}':
      'removes the redirects to a node that is marked for good; the next run deletes what a crash leaves',
    'update many cms.redirects {node_id}':
      'closes the redirects to a node that is marked for good; the next run closes what a crash leaves',
  },
};
