/** The mutations of people in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const SESSION = 'starts, renews or ends a session, without changing any rights';
const NEWCOMER = "creates the user's own account, whose only rights come from an audited invitation";

export const auditDecisions: AuditDecisions = {
  audited: {
    grantRole: 'ROLE_GRANTED',
    revokeRole: 'ROLE_REVOKED',
    invite: 'USER_INVITED',
    withdrawInvitation: 'INVITATION_WITHDRAWN',
    deleteUser: 'USER_DELETED',
    deleteAccount: 'USER_DELETED',
    changePassword: 'PASSWORD_CHANGED',
    resetPassword: 'PASSWORD_RESET', // tested in `password-reset.test.ts`, which has emails
    createApiKey: 'API_KEY_CREATED',
    revokeApiKey: 'API_KEY_REVOKED',
  },
  notAdministrative: {
    signIn: SESSION,
    refresh: SESSION,
    signOut: SESSION,
    signUp: NEWCOMER,
    confirmSignUp: NEWCOMER,
    acceptInvitation: NEWCOMER,
    requestPasswordReset: 'changes no account; the reset itself is audited',
    changeName: 'changes only a display name',
  },
};
