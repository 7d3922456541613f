/** Nodes of old forms read as if they were migrated; the migration changes nothing else, whatever happens at the same time. */
import { beforeEach, describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom } from '../../../harness/random.js';
import { ExportReader } from '../../../src/models/content/export/export-rows.js';
import {
  findNodeMigration,
  migrate,
  nodeMigration,
  startNodeMigration,
} from '../../../src/models/content/migration/node-migration.js';
import { findNode, type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { BusyError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { useWork } from '../../system/work/work-support.js';
import { add, edit, requireStored, violations } from '../nodes/node-support.js';
import { addRandomPosts, makeOld, randomText, storedNodes } from './migration-support.js';

const database = useDatabase();
const { loopOf } = useWork(database);

beforeEach(async () => {
  for (const name of ['cms.nodes', 'cms.versions', 'cms.tags']) await database.db.collection(name).deleteMany({});
});

const start = () => startNodeMigration(database.db, testAct(), null);
const run = async (id: string, rest?: () => Promise<void>) => loopOf([nodeMigration], rest ? { rest } : {}).run(id);

describe('a migration', () => {
  it('stores every node as it was read before, and leaves everything else as it was', async () => {
    const { db } = database;
    await addRandomPosts(db, 120, chooseSeed('a migration'));
    const before = await storedNodes(db);
    await makeOld(db);
    expect(await nodes(db).countDocuments({ form: { $exists: true } })).toBe(0);
    const { _id } = await start();
    expect(await run(_id)).toMatchObject({ state: 'FINISHED', done: 122, total: 122 });
    expect(await storedNodes(db)).toEqual(before);
    expect(await versions(db).countDocuments({ form: { $exists: true } })).toBe(0); // a version never changes
    expect(await violations(db)).toEqual([]);
  });

  it('leaves exports as they were', async () => {
    const { db } = database;
    await addRandomPosts(db, 10, 3);
    const rows = await exported();
    await makeOld(db);
    expect(await exported()).toEqual(rows);
    const { _id } = await start();
    expect(await run(_id)).toMatchObject({ state: 'FINISHED' });
    expect(await exported()).toEqual(rows);
  });

  it('lets an edit win that came between its read and its write', async () => {
    const { db } = database;
    const [edited, other] = [await add(db, { slug: 'one', text: 'One' }), await add(db, { slug: 'two', text: 'Two' })];
    await makeOld(db);
    const batch = await nodes(db).find().sort({ _id: 1 }).toArray();
    const after = requireStored(await edit(db, edited, { text: 'One is three words' }));
    expect(await migrate(db, batch)).toBe(1);
    expect(await findNode(db, edited._id)).toEqual(after);
    expect(after).toMatchObject({ form: 2, words: 4, summary: 'One is three words', version: 2 });
    expect(await nodes(db).findOne({ _id: other._id })).toEqual(other);
    expect(await migrate(db, batch)).toBe(0);
  });

  it('loses no edit of 10 editors who work while it runs', async () => {
    const { db } = database;
    const seed = chooseSeed('editors during a migration');
    const all = await addRandomPosts(db, 130, seed);
    const posts = all.slice(2) as [NodeDocument, ...NodeDocument[]];
    await makeOld(db);
    const accepted = new Map<string, string>(); // by nonce: the text
    let isRunning = true;
    const editor = async (name: number) => {
      const random = makeRandom(seed + name);
      for (let n = 0; n < 4 || (isRunning && n < 20); n += 1) {
        const loaded = (await findNode(db, random.pick(posts)._id)) as NodeDocument;
        const text = `${randomText(random)}\n\nBy ${name}, ${n}`;
        try {
          const outcome = await edit(db, loaded, { text });
          if (!('__typename' in outcome)) accepted.set(outcome.nonce, text);
        } catch (error) {
          if (!(error instanceof BusyError)) throw error; // nothing was written
        }
      }
    };
    const { _id } = await start();
    const migration = run(_id).finally(() => {
      isRunning = false;
    });
    await Promise.all([migration, ...Array.from({ length: 10 }, (_, name) => editor(name))]);
    expect(await migration).toMatchObject({ state: 'FINISHED', done: 132, total: 132 });
    expect(await nodes(db).countDocuments({ form: 2 })).toBe(132);
    for (const [nonce, text] of accepted)
      expect(await versions(db).findOne({ '_id.nonce': nonce })).toMatchObject({ detail: { text }, form: 2 });
    for (const node of (await storedNodes(db)).values()) expect(await asRead(node._id)).toEqual(node);
    expect(await violations(db)).toEqual([]); // the current text is that of the last version
  });

  /** The node with its derived fields computed again. */
  async function asRead(id: string) {
    await makeOld(database.db, [id]);
    return findNode(database.db, id);
  }

  it('also finds what a server of an earlier release writes behind it', async () => {
    const { db } = database;
    await addRandomPosts(db, 110, 1);
    await makeOld(db);
    const first = await nodes(db).findOne({}, { sort: { _id: 1 } });
    let isWritten = false;
    const { _id } = await start();
    const done = await run(_id, async () => {
      const { position } = (await backgroundWork(db).findOne({ _id })) ?? {};
      if (isWritten || (position as { after: string }).after === '') return;
      isWritten = true;
      await makeOld(db, [first?._id ?? '']);
    });
    expect(isWritten).toBe(true);
    expect(done).toMatchObject({ state: 'FINISHED', done: 112, total: 112 });
    expect(await nodes(db).countDocuments({ form: 2 })).toBe(112);
  });

  it('is the same until there is something to do again', async () => {
    const { db } = database;
    await backgroundWork(db).deleteMany({});
    expect(await findNodeMigration(db)).toBeNull();
    const [one, other] = await Promise.all([start(), start()]);
    expect(one._id).toBe(other._id);
    expect(await start()).toEqual(one);
    expect(await run(one._id)).toMatchObject({ state: 'FINISHED', done: 0, total: 0 });
    expect(await start()).toMatchObject({ _id: one._id, state: 'FINISHED' });
    const node = await add(db);
    await makeOld(db, [node._id]);
    const again = await start();
    expect(again).toMatchObject({ state: 'WAITING' });
    expect(again._id > one._id).toBe(true);
    expect(await run(again._id)).toMatchObject({ state: 'FINISHED', done: 1, total: 1 });
    expect(await findNodeMigration(db)).toMatchObject({ _id: again._id });
  });

  it('fails on a server of an earlier release than the one that has asked for it', async () => {
    const { _id } = await start();
    await backgroundWork(database.db).updateOne({ _id }, { $set: { 'input.to_form': 3 } });
    expect(await run(_id)).toMatchObject({ state: 'FAILED', failure: expect.stringContaining('earlier release') });
  });
});

describe('the invariants', () => {
  it.each([
    ['an unknown form', { form: -1 }, '-1 instead of 2'],
    ['the present form without its fields', { summary: null }, '2 instead of 2'],
  ])('find %s', async (_case, change, found) => {
    const { _id } = await add(database.db);
    await database.db.collection<{ _id: string }>('cms.nodes').updateOne({ _id }, { $set: change });
    expect(await violations(database.db)).toEqual([`known-form ${_id}: ${found}`]);
  });
});

async function exported(): Promise<string[]> {
  const rows: string[] = [];
  for await (const { line } of new ExportReader(database.db, 'root', null).lines()) rows.push(line);
  return rows;
}
