/** The mutations of comments in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const OWN = "is a person's own comment, visible in the discussion";

export const auditDecisions: AuditDecisions = {
  audited: { moderateComments: 'COMMENTS_MODERATED', changeCommentDesign: 'COMMENT_DESIGN_CHANGED' },
  notAdministrative: {
    postComment: OWN,
    editComment: OWN,
    deleteComment: OWN,
    reportComment: 'asks a moderator, and is listed with the comment',
    importComments: 'is work of editors, listed for 30 days',
    exportComments: 'changes nothing',
    changeCommentPolicy: 'is daily work of authors, visible in the node itself',
  },
};
