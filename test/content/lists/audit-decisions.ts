/** The mutations of content in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const VERSIONED = 'is daily work of editors, kept in the versions of the node';
const TAGS = 'is daily work of editors, visible in the node itself';

export const auditDecisions: AuditDecisions = {
  audited: { deleteNode: 'NODE_DELETED', migrateNodes: 'NODES_MIGRATED' },
  notAdministrative: {
    createNode: VERSIONED,
    editNode: VERSIONED,
    restoreVersion: VERSIONED,
    moveNode: VERSIONED,
    restoreNode: VERSIONED,
    addTags: TAGS,
    removeTags: TAGS,
    uploadPhoto: VERSIONED,
    replacePhoto: VERSIONED,
    placePhoto: 'is daily work of editors, visible in the gallery itself',
    importContent: 'is work of editors, listed for 30 days; each node has the import’s author',
    exportContent: 'changes nothing',
  },
};
