/** A file that was imported before: unchanged, grown, changed, or imported concurrently. */
import { describe, expect, it } from 'vitest';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import { logImports } from '../../../src/models/analytics/log-import/log-import.js';
import { useDatabase } from '../../support/database.js';
import { logLine, memorySource } from '../log/log-support.js';
import { everything, now, useImports } from './log-import-support.js';

const database = useDatabase();
const { site, importer, enlist, importAll, hitsOf, violations, events } = useImports(database);

describe('the same file again', () => {
  const lines = Array.from({ length: 2345 }, (_, index) => logLine({ path: `/${index % 7}` }));

  it('counts nothing twice', async () => {
    const first = await importAll(memorySource(lines));
    const again = await enlistFile(
      database.db,
      memorySource(lines),
      { site: site(), options: everything, file: null },
      now(),
    );
    expect(again).toMatchObject({ unread: false, document: { _id: first._id, state: 'FINISHED', imported: 2345 } });
    expect(await events()).toBe(2345);
    expect(await hitsOf('/0')).toEqual({ days: 335, months: 335 });
  });

  it('continues where it ended when it has grown, even inside its last line', async () => {
    const whole = `${lines.join('\n')}\n`;
    for (const length of [0.3, 0.3, 0.5, 0.77, 1].map((share) => Math.floor(share * whole.length))) {
      const done = await importAll(memorySource(Buffer.from(whole.slice(0, length))));
      expect(done).toMatchObject({ state: 'FINISHED', bytes_read: length });
      expect(await violations()).toEqual([]);
    }
    expect(await logImports(database.db).find({ site: site() }).toArray()).toMatchObject([
      { lines: 2345, imported: 2345, hits: 2345, rejected: 0 },
    ]);
    expect(await events()).toBe(2345);
    expect(await hitsOf('/0')).toEqual({ days: 335, months: 335 });
  });

  it('is a new import when it has changed', async () => {
    const first = await importAll(memorySource(lines));
    const other = await importAll(memorySource([...lines.slice(0, 5), logLine({ path: '/other' })]));
    expect(other._id).not.toBe(first._id);
    expect(other).toMatchObject({ state: 'FINISHED', imported: 6 });
    expect(await events()).toBe(2345 + 6);
  });

  it('is imported and found again after 600 imports with the same first line', async () => {
    const first = await importAll(memorySource([...lines.slice(0, 5), logLine({ path: '/first' })]));
    const others = Array.from({ length: 600 }, (_, index) => ({
      ...first,
      _id: `${first._id.slice(0, 20)}${index}`,
      checkpoint: { ...first.checkpoint, sha256: String(index) },
    }));
    await logImports(database.db).insertMany(others);
    const source = memorySource([...lines.slice(0, 5), logLine({ path: '/another' })]);
    const another = await importAll(source);
    expect(another).toMatchObject({ state: 'FINISHED', imported: 6 });
    expect((await enlist(source))._id).toBe(another._id);
    expect((await enlist(memorySource([...lines.slice(0, 5), logLine({ path: '/first' })])))._id).toBe(first._id);
    await logImports(database.db).deleteMany({ _id: { $in: others.map(({ _id }) => _id) } });
  });

  it('counts identical lines separately', async () => {
    await importAll(memorySource(Array.from({ length: 1500 }, () => logLine({ path: '/same' }))));
    expect(await hitsOf('/same')).toEqual({ days: 1500, months: 1500 });
  });

  it('is imported once by two concurrent importers', async () => {
    const source = memorySource(lines);
    const documents = await Promise.all([enlist(source), enlist(source), enlist(source)]);
    const id = documents[0]?._id ?? '';
    expect(documents.map(({ _id }) => _id)).toEqual([id, id, id]);
    const results = await Promise.all([
      importer().run(id, source),
      importer().run(id, source),
      importer().run(id, source),
    ]);
    expect(results.filter((each) => each !== null && each !== 'BUSY')).toMatchObject([
      { state: 'FINISHED', imported: 2345, hits: 2345 },
    ]);
    expect(await events()).toBe(2345);
  });
});
