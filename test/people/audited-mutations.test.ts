/**
 * Every mutation is in the audit trail, or its domain lists it with the reason why it is not an administrative action
 * (`test/<domain>/lists/audit-decisions.ts`).
 */
import { describe, expect, it } from 'vitest';
import { enlistFile } from '../../src/models/analytics/log-import/log-identity.js';
import { logImports } from '../../src/models/analytics/log-import/log-import.js';
import type { AuditAction } from '../../src/models/people/audit.js';
import { backgroundWork } from '../../src/models/system/work/background-work.js';
import { startWork } from '../../src/models/system/work/work-start.js';
import { makeSchema } from '../../src/server/operations/schema.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { logLine, memorySource } from '../analytics/log/log-support.js';
import { domains } from '../domains.js';
import { steps } from '../server/operations/every-mutation.js';
import { useDatabase } from '../support/database.js';
import { enumValues } from '../support/domain/enum-values.js';
import type { Known, MutationStep } from '../support/domain/mutation-step.js';
import { useServer } from '../support/server.js';
import { offerWork } from '../system/work/work-support.js';

const database = useDatabase();
const server = useServer(database, { SIGN_UP: 'open' });

const decisions = (await Promise.all(domains.map((domain) => domain.auditDecisions?.() ?? []))).flat();
const audited = decisions.flatMap((decision) => Object.entries(decision.audited));
const notAdministrative = decisions.flatMap((decision) => Object.entries(decision.notAdministrative));
const actionOf: ReadonlyMap<string, AuditAction> = new Map(audited);

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
    const named = [...audited, ...notAdministrative].map(([mutation]) => mutation);
    expect(named.toSorted()).toEqual(Object.keys(makeSchema().getMutationType()?.getFields() ?? {}).toSorted());
  });

  it.each(steps)('is in the audit trail if required: $mutation', async (step) => {
    const action = actionOf.get(step.mutation);
    expect(await recordedBy(() => send(step))).toEqual(action && !step.isUnaudited ? [action] : []);
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

  it('is in the audit trail once: undoImport', async () => {
    const kind = { name: 'throwaway', type: 'DataImport', run: async () => undefined, undo: async () => undefined };
    offerWork(server.services, kind);
    const { _id } = await startWork(database.db, { id: 'undone', kind, owner: null, input: {} }, new Date());
    await backgroundWork(database.db).updateOne({ _id }, { $set: { state: 'FINISHED' }, $unset: { open: '' } });
    const undo = () =>
      server.request('mutation ($id: ID!) { undoImport(id: $id) { __typename } }', {
        id: toGlobalId('DataImport', _id),
      });
    expect(await recordedBy(undo)).toEqual(['IMPORT_UNDONE']);
    expect(await recordedBy(undo)).toEqual([]);
  });

  it('covers every kind of entry', () => {
    expect([...new Set(actionOf.values()), 'OTHER'].toSorted()).toEqual(enumValues('AuditAction').toSorted());
  });
});

describe('a money account', () => {
  it('that users open for themselves without a balance is not audited', async () => {
    const open = () => server.request('mutation { openAccount(input: {}) { id } }');
    expect(await recordedBy(open)).toEqual([]);
  });
});
