/** Logs that are renamed before they are read, so that another file has their name. Rotation of an open log: `log-command.test.ts`. */
import { expect, it } from 'vitest';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import { logEvents } from '../../../src/models/analytics/log-growth/log-segment.js';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import { LogImporter } from '../../../src/models/analytics/log-import/log-importer.js';
import type { LogSource } from '../../../src/models/analytics/log-import/log-source.js';
import { useDatabase } from '../../support/database.js';
import { logLine, memorySource } from '../log/log-support.js';

const database = useDatabase();
const LINES = 1500;
const logOf = (path: string) => memorySource(Array.from({ length: LINES }, () => logLine({ path })));
const events = () => logEvents(database.db).countDocuments();

async function enlist(source: LogSource): Promise<string> {
  const options = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const;
  const enlisted = await enlistFile(database.db, source, { site: 'example.org', options, file: null }, new Date());
  if (!('document' in enlisted)) throw new Error(enlisted.message);
  return enlisted.document._id;
}

const importer = () =>
  new LogImporter(database.db, {
    holder: 'test',
    keep: keptFields([]),
    now: () => new Date(),
    onFault: (error) => {
      throw error;
    },
  });

it('an import whose file was replaced by another log fails and stores nothing, and importing each of them counts it once', async () => {
  const [log, next] = [logOf('/log'), logOf('/next')];
  const id = await enlist(log);
  const failure = 'The file has been replaced by another one. Import it again';
  expect(await importer().run(id, next)).toMatchObject({ state: 'FAILED', failure, lines: 0 });
  expect(await events()).toBe(0);
  for (const source of [next, log]) {
    const done = await importer().run(await enlist(source), source);
    expect(done).toMatchObject({ state: 'FINISHED', lines: LINES, hits: LINES });
  }
  expect(await events()).toBe(2 * LINES);
  expect(await enlist(log)).toBe(id);
  expect(await importer().run(id, log)).toBeNull(); // there is nothing to do
});
