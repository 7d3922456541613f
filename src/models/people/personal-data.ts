/** What people stores about an account, and what becomes of it. */
import type { Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { apiKeys } from './api-key.js';
import { type AuditDocument, auditTrail } from './audit.js';
import { erasures } from './erasure.js';
import { invitations } from './invitation.js';
import { countIdsOf, keyCounts } from './keyed-calls/key-count.js';
import { passwordResets } from './password-reset.js';
import { sessions } from './sign-in-session.js';
import { signUps } from './sign-up.js';
import { countsOf, throttles } from './throttle.js';
import { findUser, users } from './user.js';

const files = {
  'account.jsonl': 'Your account',
  'sessions.jsonl': 'Where you are signed in: the beginning and the end of each session',
  'password-resets.jsonl': 'Links that reset your password and have not been used',
  'attempts.jsonl': 'Failed sign-ins and emails sent, counted for 15 minutes',
  'keyed-calls.jsonl': 'How many idempotency keys you have used in the last hours',
  'audit-own.jsonl': 'Your entries in the audit trail',
  'audit-others.jsonl': 'Entries of others in the audit trail about you',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  const user = await findUser(db, accountId);
  if (user) {
    const { _id, password_hash, ...row } = user;
    yield { file: 'account.jsonl', row: { id: _id, ...row } };
  }
  const own = { user_id: accountId };
  const order = { user_id: 1, _id: 1 } as const;
  yield* rowsIn('sessions.jsonl', sessions(db).find(own).sort(order), ({ begun_at, renewed_at, expires_at }) => ({
    begun_at,
    renewed_at,
    expires_at,
  }));
  const resets = passwordResets(db).find(own).sort(order);
  yield* rowsIn('password-resets.jsonl', resets, ({ expires_at }) => ({ expires_at }));
  if (user) {
    const counts = await countsOf(db, user.email);
    for (const { _id, failures, until } of counts)
      yield { file: 'attempts.jsonl', row: { what: _id, count: failures, until } };
  }
  const keys = keyCounts(db).find({ _id: { $in: countIdsOf(accountId) } });
  yield* rowsIn('keyed-calls.jsonl', keys, ({ count, expires_at }) => ({ count, expires_at }));
  if (user) yield* auditRows(db, user.email);
}

/** The trail names people by their addresses. What others did has their address, and is shown without it. */
async function* auditRows(db: Db, email: string): AsyncGenerator<PersonalRow, undefined> {
  const newest = { at: -1, _id: -1 } as const;
  const by = auditTrail(db)
    .find({ actor: email })
    .sort({ actor: 1, ...newest });
  yield* rowsIn('audit-own.jsonl', by, ({ _id, ...entry }) => entry);
  const withoutActor = ({ at, action, detail, expires_at }: AuditDocument) => ({ at, action, detail, expires_at });
  const about = auditTrail(db)
    .find({ subject: email })
    .sort({ subject: 1, ...newest });
  for await (const entry of about)
    if (entry.actor !== email) yield { file: 'audit-others.jsonl', row: withoutActor(entry) };
  const onBehalf = auditTrail(db)
    .find({ on_behalf_of: email })
    .sort({ on_behalf_of: 1, ...newest });
  yield* rowsIn('audit-others.jsonl', onBehalf, withoutActor);
}

/** The account itself, and an invitation for its address, were deleted with the note of the erasure (`account-deletion.ts`). */
async function erase(db: Db, accountId: string): Promise<number> {
  const own = { user_id: accountId };
  let erased = (await sessions(db).deleteMany(own)).deletedCount;
  failpoint('erasure.sessions-deleted');
  erased += (await passwordResets(db).deleteMany(own)).deletedCount;
  failpoint('erasure.resets-deleted');
  return erased + (await keyCounts(db).deleteMany({ _id: { $in: countIdsOf(accountId) } })).deletedCount;
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'The account: email address, name, roles and password',
    collections: [users],
    becomes: 'ERASED',
    reason: 'Deleted at once',
  },
  {
    data: 'Sessions, links that reset the password, and the count of idempotency keys',
    collections: [sessions, passwordResets, keyCounts],
    becomes: 'ERASED',
    reason: 'They are of no use without the account',
  },
  {
    data: 'An invitation for the email address',
    collections: [invitations],
    becomes: 'ERASED',
    reason: 'Deleted at once, so that an old link does not bring the account back',
  },
  {
    data: 'Counts of failed sign-ins, of emails sent and of comments',
    collections: [throttles],
    becomes: 'ERASED',
    reason: 'They end by themselves after 15 minutes. Until then they protect the mailbox and discussions',
  },
  {
    data: 'Sign-ups with the address that wait for confirmation',
    collections: [signUps],
    becomes: 'ERASED',
    reason: 'They end by themselves after a day',
  },
  {
    data: 'API keys',
    collections: [apiKeys],
    becomes: 'KEPT',
    reason: 'They belong to programs, and nothing in them names a person',
  },
  {
    data: 'The audit trail, with the email address at that time',
    collections: [auditTrail],
    becomes: 'KEPT',
    reason: 'Who did what must be provable. Entries end by themselves, after two years by default',
  },
  {
    data: 'The note that the account is to be erased, with its id',
    collections: [erasures],
    becomes: 'ERASED',
    reason: 'Deleted when the erasure has ended',
  },
];

export const personalData: PersonalData = { files, rows, erase, erasure };
