/** The mutations of the network in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const OWN = "changes only the person's own part of the network";
const POST = "is a person's own post, visible on the wall";

export const auditDecisions: AuditDecisions = {
  audited: {
    rebuildNews: 'NEWS_REBUILT',
    dismissReports: 'POST_REPORTS_DISMISSED',
    deletePost: 'POST_DELETED',
    importNetwork: 'NETWORK_IMPORTED',
  },
  notAdministrative: {
    saveProfile: OWN,
    createCircle: OWN,
    renameCircle: OWN,
    deleteCircle: OWN,
    addToCircle: OWN,
    removeFromCircle: OWN,
    blockPerson: OWN,
    unblockPerson: OWN,
    publishPost: POST,
    editPost: POST,
    voteInPoll: POST,
    reportPost: 'asks a moderator, and is listed with the post',
  },
};
