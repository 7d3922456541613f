/** People: accounts, roles, sessions, API keys and the audit trail. */
import type { Domain } from '../domain.js';
import { apiKeys } from './api-key.js';
import { auditTrail } from './audit.js';
import { lacksAdministrator } from './invariants.js';
import { invitations } from './invitation.js';
import { keyCounts } from './keyed-calls/key-count.js';
import { passwordResets } from './password-reset.js';
import { sessions } from './sign-in-session.js';
import { signUps } from './sign-up.js';
import { throttles } from './throttle.js';
import { users } from './user.js';

/** It opens no services: the server has those that authenticate requests. */
export const people: Domain<object> = {
  name: 'people',
  collections: [users, sessions, invitations, passwordResets, signUps, throttles, apiKeys, auditTrail, keyCounts],
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
  recoveryWorkers: [],
  jobs: [],
  metrics: [],
  open: async () => ({}),
  close: async () => undefined,
};
