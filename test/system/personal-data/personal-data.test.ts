/** Exports of personal data: one archive of all domains, also after an interruption, for its owner only. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { allPersonalData } from '../../../src/domains.js';
import { workKindWith } from '../../../src/models/domain.js';
import type { PersonalDataOfDomain } from '../../../src/models/personal-data.js';
import { personalDataExport, startPersonalDataExport } from '../../../src/models/system/personal-data/personal-data.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { PART_BYTES, readParts, workParts } from '../../../src/models/system/work/work-file.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import { useDatabase } from '../../support/database.js';
import { expireLeases } from '../../support/leases.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { makePicture, openAssets, store } from '../assets/picture-support.js';
import { rowsOf, unzip } from './zip-reader.js';

const database = useDatabase();
const server = useServer(database);

const EXPORT = 'mutation ExportMyData { exportMyData { id state done total url expiresAt } }';
const STATE = 'query ($id: ID!) { node(id: $id) { ... on DataExport { id state done total url expiresAt failure } } }';

type Exported = Record<'exportMyData', { id: string; state: string; url: string | null }>;

describe('exportMyData', () => {
  it('writes what all domains store about the caller, and an index of it', async () => {
    const { db } = database;
    const ann = await addPerson(db, 'ann', ['AUTHOR']);
    const { token } = await beginTestSession(db, server.services.config, ann);
    const picture = await makePicture('image/png');
    const asset = await store(await openAssets(db), db, picture);
    await db
      .collection('cms.assets.files')
      .updateOne({ _id: asset._id as never }, { $set: { 'metadata.owner_id': ann._id } });
    await server.request('mutation { openAccount(input: {}) { id } }', {}, token);

    const { data } = await server.request<Exported>(EXPORT, {}, token);
    const { id } = data?.exportMyData ?? { id: '' };
    const done = await waitFor('the export', 20_000, async () => {
      const { data: now } = await server.request<{ node: Record<string, string> }>(STATE, { id }, token);
      return now?.node.state === 'FINISHED' ? now.node : null;
    });
    expect(done).toMatchObject({ done: done.total, expiresAt: expect.any(String) });
    const response = await fetch(String(done.url));
    const date = new Date().toISOString().slice(0, 10);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="sextant-${date}.zip"`,
    });
    const files = unzip(Buffer.from(await response.arrayBuffer()));
    expect(rowsOf(files, 'account.jsonl')).toEqual([
      { id: ann._id, email: ann.email, name: 'ann', roles: ['AUTHOR'], created_at: ann.created_at.toISOString() },
    ]);
    expect(rowsOf(files, 'accounts.jsonl')).toEqual([expect.objectContaining({ balance: 0 })]);
    expect(rowsOf(files, 'pictures.jsonl')).toEqual([expect.objectContaining({ id: asset._id, type: 'image/png' })]);
    expect(files.get(`pictures/${asset._id}.png`)?.length).toBe(asset.length);
    const index = JSON.parse(String(files.get('index.json')));
    expect(index).toMatchObject({ account: ann._id, exported_at: expect.any(String) });
    expect(index.files.map(({ name }: { name: string }) => name)).toEqual([
      ...allPersonalData.flatMap((each) => Object.keys(each.files)),
      undefined, // the pictures
    ]);
    for (const { name, rows, content } of index.files.slice(0, -1)) {
      expect([name, rowsOf(files, name).length]).toEqual([name, rows]);
      expect(content).toMatch(/^[A-Z]/);
    }
    expect(index.files.at(-1)).toMatchObject({ folder: 'pictures', pictures: 1 });
    expect(String(files.get('account.jsonl'))).not.toContain('password');

    expect((await server.request<{ node: { url: null } }>(STATE, { id })).data?.node.url).toBeNull(); // an administrator
  });

  it('is for people', async () => {
    expect((await server.request(EXPORT, {}, null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});

const SIZE = 3 * PART_BYTES;

/** Rows that cannot be compressed. */
const noise: PersonalDataOfDomain = {
  domain: 'noise',
  files: { 'noise.jsonl': 'Noise' },
  async *rows() {
    for (let at = 0; at < SIZE; at += 3000)
      yield { file: 'noise.jsonl', row: { at, noise: randomBytes(3000).toString('base64') } };
  },
  erasure: [],
};

function loopOf(personalData: readonly PersonalDataOfDomain[], rest?: () => Promise<void>): WorkLoop {
  return new WorkLoop(database.db, [workKindWith(personalDataExport, { personalData })], {
    holder: randomUUID(),
    now: () => new Date(),
    onFault: () => undefined,
    ...(rest && { rest }),
  });
}

async function fileOf(id: string): Promise<Buffer> {
  const work = await backgroundWork(database.db).findOne({ _id: id });
  const chunks: Buffer[] = [];
  for await (const part of readParts(database.db, id, work?.first_part)) chunks.push(part);
  const file = Buffer.concat(chunks);
  expect(work?.bytes).toBe(file.length);
  return file;
}

describe('an export of personal data', () => {
  it('is one at a time', async () => {
    const start = () => startPersonalDataExport(database.db, 'bob', new Date());
    const both = await Promise.all([start(), start()]);
    const again = await start();
    expect(new Set([...both, again].map(({ _id }) => _id)).size).toBe(1);
    await loopOf([noise]).run(again._id);
    expect((await start())._id).not.toBe(again._id);
  });

  it('begins anew after an interruption, and mixes nothing', async () => {
    const { _id } = await startPersonalDataExport(database.db, 'cid', new Date());
    let steps = 0;
    const interrupted: WorkLoop = loopOf([noise], async () => {
      steps += 1;
      if (steps === 3) interrupted.stop();
    });
    await interrupted.run(_id);
    expect(await backgroundWork(database.db).findOne({ _id })).toMatchObject({
      state: 'WAITING',
      bytes: 2 * PART_BYTES,
    });
    await expireLeases(database.db);
    await loopOf([noise]).run(_id);
    const work = await backgroundWork(database.db).findOne({ _id });
    expect(work).toMatchObject({ state: 'FINISHED', first_part: 2, done: Math.ceil(SIZE / 3000) });
    const files = unzip(await fileOf(_id));
    const rows = rowsOf(files, 'noise.jsonl');
    expect(rows.map(({ at }) => at)).toEqual(
      Array.from({ length: Math.ceil(SIZE / 3000) }, (_, index) => index * 3000),
    );
    const parts = await workParts(database.db).countDocuments({ _id: { $gte: `${_id}.`, $lt: `${_id}/` } });
    expect(parts).toBe(1 + Math.ceil(Number(work?.bytes) / PART_BYTES)); // the very first part stays
  });

  it('fails if a domain has rows that it does not declare', async () => {
    const { _id } = await startPersonalDataExport(database.db, 'dan', new Date());
    await loopOf([{ ...noise, files: { 'other.jsonl': 'Nothing' } }]).run(_id);
    expect(await backgroundWork(database.db).findOne({ _id })).toMatchObject({ state: 'FAILED' });
  });

  it('ends when it was interrupted too often', async () => {
    const { _id } = await startPersonalDataExport(database.db, 'eva', new Date());
    await backgroundWork(database.db).updateOne({ _id }, { $set: { position: { parts: 0, attempt: 20 } } });
    await loopOf([noise]).run(_id);
    expect(await backgroundWork(database.db).findOne({ _id })).toMatchObject({
      failure: 'It was interrupted 20 times',
    });
  });
});
