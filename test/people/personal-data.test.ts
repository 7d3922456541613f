/** Every collection that stores accounts is in the table of a domain, which the documentation shows. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { declaredCollections } from '../../src/database/index.js';
import { allDomains, allPersonalData } from '../../src/domains.js';
import { deleteUser } from '../../src/models/people/account-deletion.js';
import { eraseDeleted, SEARCHED_MS } from '../../src/models/people/erasure.js';
import { steps } from '../server/operations/every-mutation.js';
import { useDatabase } from '../support/database.js';
import type { Known } from '../support/domain/mutation-step.js';
import { addPerson, testAct } from '../support/people.js';
import { useServer } from '../support/server.js';
import { leaveTraces, tracesOf } from './erasure-support.js';

const database = useDatabase();
const server = useServer(database, { SIGN_UP: 'open' });

/** Domains without a table. Remove entries that are no longer needed. */
const WITHOUT: Readonly<Record<string, string>> = {};

const rules = allPersonalData.flatMap(({ domain, erasure }) => erasure.map((rule) => ({ domain, ...rule })));
const listed = new Set(rules.flatMap(({ collections }) => collections.map(({ collectionName }) => collectionName)));

describe('the personal data of an account', () => {
  it('is declared by every domain, under names of files that no other has', () => {
    expect(allDomains.filter(({ personalData }) => !personalData).map(({ name }) => name)).toEqual(
      Object.keys(WITHOUT),
    );
    const names = allPersonalData.flatMap(({ files }) => Object.keys(files));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('is only in collections that a table names', async () => {
    const known: Known = {};
    for (const { mutation, text, tells, as } of steps) {
      const token = as && (as === 'visitor' ? null : (known.annToken ?? ''));
      const { data } = await server.request(`mutation { ${mutation} ${text(known)} }`, {}, token);
      Object.assign(known, tells?.(data?.[mutation] as Readonly<Record<string, string>>));
    }
    const { data } = await server.request<{ viewer: { email: string } }>('{ viewer { email } }');
    const email = data?.viewer.email ?? '';
    const { _id } = (await database.db.collection('users').findOne({ email })) ?? {};
    await leaveTraces(database.db, String(_id), 'more');
    const exempt = allDomains
      .filter(({ name }) => name in WITHOUT)
      .flatMap(({ collections }) => collections.map(({ collectionName }) => collectionName));
    const stored = [...(await tracesOf(database.db, String(_id))), ...(await tracesOf(database.db, email))];
    expect(stored.length).toBeGreaterThan(8);
    expect(stored.filter((name) => !listed.has(name) && !exempt.includes(name))).toEqual([]);
  });

  it('is in files that the domain names, in their order', async () => {
    const { _id } = await addPerson(database.db, 'ann');
    await leaveTraces(database.db, _id);
    const found: string[] = [];
    for (const { files, rows } of allPersonalData)
      for await (const { file } of rows(database.db, _id)) {
        expect(Object.keys(files)).toContain(file);
        if (found.at(-1) !== file) found.push(file);
      }
    const order = allPersonalData.flatMap(({ files }) => Object.keys(files));
    expect(found).toEqual(order.filter((file) => found.includes(file)));
    expect(found).toEqual(expect.arrayContaining(['account.jsonl', 'orders.jsonl', 'pictures.jsonl']));
  });

  it('that is erased is no longer read', async () => {
    const { _id } = await addPerson(database.db, 'eve');
    await leaveTraces(database.db, _id, 'eve');
    await deleteUser(database.db, testAct(), _id);
    const later = new Date(Date.now() + SEARCHED_MS + 1000);
    while ((await eraseDeleted(database.db, allPersonalData, later)) > 0);
    for (const { rows } of allPersonalData)
      for await (const { file } of rows(database.db, _id)) expect(file).toBe('nothing');
  });
});

it('is in the documentation as the domains declare it', async () => {
  const page = await readFile(new URL('../../docs/people.md', import.meta.url), 'utf8');
  const table = rules.map(
    ({ domain, data, becomes, reason }) => `| ${domain} | ${data} | ${words[becomes]} | ${reason} |`,
  );
  expect(page).toContain(table.join('\n'));
});

const words = { ERASED: 'erased', KEPT: 'kept', ANONYMIZED: 'anonymized' } as const;

it('names only collections that are declared', () => {
  expect([...listed].filter((name) => !declaredCollections().has(name))).toEqual([]);
});
