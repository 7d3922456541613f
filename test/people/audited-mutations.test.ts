/** Every mutation is in the audit trail, or is listed here with the reason why it is not an administrative action. */
import { isEnumType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { enlistFile } from '../../src/models/analytics/log-import/log-identity.js';
import { logImports } from '../../src/models/analytics/log-import/log-import.js';
import type { AuditAction } from '../../src/models/people/audit.js';
import { makeSchema } from '../../src/server/operations/schema.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { logLine, memorySource } from '../analytics/log/log-support.js';
import { steps } from '../server/operations/every-mutation.js';
import { useDatabase } from '../support/database.js';
import type { Known, MutationStep } from '../support/mutation-step.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database, { SIGN_UP: 'open' });

const audited: Readonly<Record<string, AuditAction>> = {
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
  registerSite: 'SITE_REGISTERED',
  changeSiteOrigins: 'SITE_ORIGINS_CHANGED',
  undoLogImport: 'LOG_IMPORT_UNDONE',
  changeLogGrowth: 'LOG_GROWTH_CHANGED',
  deleteOrder: 'ORDER_DELETED',
  openAccount: 'ACCOUNT_OPENED',
  transfer: 'MONEY_TRANSFERRED',
  checkOut: 'ORDER_PAID',
  raiseOrderQuantity: 'ORDER_RAISED',
  refundOrder: 'ORDER_REFUNDED',
  reverseTransfer: 'TRANSFER_REVERSED',
  restock: 'STOCK_BROUGHT_IN',
  saveProducts: 'PRICE_CHANGED',
  removeCategory: 'CATEGORY_REMOVED',
  recover: 'RECOVERY_STARTED',
};

const SESSION = 'starts, renews or ends a session, without changing any rights';
const NEWCOMER = "creates the user's own account, whose only rights come from an audited invitation";
const FIGURES = 'records external events, thousands per second';
const CATALOG = 'is daily work of editors, visible in the catalog itself';
const CUSTOMER = 'is a customer action';

const notAdministrative: Readonly<Record<string, string>> = {
  signIn: SESSION,
  refresh: SESSION,
  signOut: SESSION,
  signUp: NEWCOMER,
  confirmSignUp: NEWCOMER,
  acceptInvitation: NEWCOMER,
  requestPasswordReset: 'changes nothing yet',
  changeName: 'changes only a display name',
  recordHit: FIGURES,
  recordHits: FIGURES,
  recordEvents: FIGURES,
  recordSessions: FIGURES,
  rollUp: 'does what the server does automatically every 30 seconds',
  importLog: 'is listed as an import, and can be undone',
  addCategory: CATALOG,
  moveCategory: CATALOG,
  renameCategory: CATALOG,
  startCart: CUSTOMER,
  addToCart: CUSTOMER,
  changeQuantity: CUSTOMER,
  removeFromCart: CUSTOMER,
  checkInvariants: 'changes nothing',
};

const known: Known = {};
const entries = () => database.db.collection('audit').find().toArray();

/** @returns the new entries in the trail */
async function recordedBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Set((await entries()).map(({ _id }) => String(_id)));
  await work();
  return (await entries()).filter(({ _id }) => !before.has(String(_id))).map(({ action }) => String(action));
}

async function send({ mutation, text, tells, as }: MutationStep): Promise<void> {
  const token = as && (as === 'visitor' ? null : (known.annToken ?? ''));
  const { data, errors } = await server.request(`mutation { ${mutation} ${text(known)} }`, {}, token);
  expect(errors).toBeUndefined();
  Object.assign(known, tells?.(data?.[mutation] as Readonly<Record<string, string>>));
}

describe('a mutation', () => {
  it('is either audited or listed as not administrative', () => {
    const named = [...Object.keys(audited), ...Object.keys(notAdministrative)];
    expect(named.toSorted()).toEqual(Object.keys(makeSchema().getMutationType()?.getFields() ?? {}).toSorted());
  });

  it.each(steps)('is in the audit trail if required: $mutation', async (step) => {
    const action = audited[step.mutation];
    expect(await recordedBy(() => send(step))).toEqual(action && !step.isUntold ? [action] : []);
  });

  it('is in the audit trail once: undoLogImport', async () => {
    const input = {
      site: 'a.example.org',
      options: { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const,
      file: null,
    };
    const enlisted = await enlistFile(database.db, memorySource([logLine({})]), input, new Date());
    if (!('document' in enlisted)) throw new Error(enlisted.message);
    const { _id } = enlisted.document;
    await logImports(database.db).updateOne({ _id }, { $set: { state: 'FINISHED' } });
    const undo = () =>
      server.request('mutation ($id: ID!) { undoLogImport(id: $id) { __typename } }', {
        id: toGlobalId('LogImport', _id),
      });
    expect(await recordedBy(undo)).toEqual(['LOG_IMPORT_UNDONE']);
    expect(await recordedBy(undo)).toEqual([]);
  });

  it('covers every kind of entry', () => {
    const type = makeSchema().getType('AuditAction');
    const all = isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
    expect([...new Set(Object.values(audited))].toSorted()).toEqual(all.toSorted());
  });
});

describe('a money account', () => {
  it('that users open for themselves without a balance is not audited', async () => {
    const open = () => server.request('mutation { openAccount(input: {}) { id } }');
    expect(await recordedBy(open)).toEqual([]);
  });
});
