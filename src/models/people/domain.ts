/** People: accounts, roles, sessions, API keys and the audit trail. */
import type { CommentHost } from '../commentable.js';
import type { Domain } from '../domain.js';
import type { PersonalDataOfDomain } from '../personal-data.js';
import { apiKeys } from './api-key.js';
import { auditTrail } from './audit.js';
import { eraseDeleted, erasures } from './erasure.js';
import { lacksAdministrator } from './invariants.js';
import { invitations } from './invitation.js';
import { keyCounts } from './keyed-calls/key-count.js';
import { passwordResets } from './password-reset.js';
import { personalData } from './personal-data.js';
import { sessions } from './sign-in-session.js';
import { signUps } from './sign-up.js';
import { throttles } from './throttle.js';
import { users } from './user.js';

/** The server has the services that authenticate requests. */
interface PeopleServices {
  /** Of all domains. */
  readonly personalData: readonly PersonalDataOfDomain[];
  readonly commentHosts: readonly CommentHost[];
}

export const people: Domain<object, PeopleServices> = {
  name: 'people',
  collections: [
    users,
    sessions,
    invitations,
    passwordResets,
    signUps,
    throttles,
    apiKeys,
    auditTrail,
    keyCounts,
    erasures,
  ],
  invariantChecks: [
    {
      name: 'People',
      collections: [],
      find: async function* (db) {
        if (await lacksAdministrator(db))
          yield { invariant: 'administrator-exists', subject: 'users', expected: 1, found: 0 };
      },
    },
  ],
  recoveryWorkers: [
    {
      name: 'Erase what deleted accounts leave',
      work: ({ personalData, commentHosts }, { db, now }) => eraseDeleted(db, personalData, now, commentHosts),
    },
  ],
  jobs: [],
  metrics: [],
  personalData,
  open: async ({ personalData, commentHosts }) => ({ personalData, commentHosts }),
  close: async () => undefined,
};
