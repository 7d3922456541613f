/** `sextant import-log` is killed at its failpoints: every line is counted once. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { logEvents } from '../../src/models/analytics/log-growth/log-segment.js';
import {
  expectSound,
  fileOf,
  hitsOf,
  log,
  outcomes,
  type RunOptions,
  runSextantOn,
} from '../analytics/log-import/import-command.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const sextant = (args: readonly string[], options?: RunOptions) => runSextantOn(database, args, options);

describe('sextant import-log', () => {
  it.each([
    ['a file', 'plain', async () => ({ file: await fileOf(log(20_000)) })],
    ['a gzip file', 'gzip', async () => ({ file: await fileOf(gzipSync(log(20_000)), 'access.log.gz') })],
    ['standard input', 'piped', async () => ({ file: '-', input: log(20_000) })],
    ['standard input in gzip', 'piped-gzip', async () => ({ file: '-', input: gzipSync(log(20_000)) })],
  ])(
    'counts every line of %s once when it is killed repeatedly',
    async (_case, name, given) => {
      const site = `killed-${name}.example.org`;
      const { file, ...input } = await given();
      const args = ['import-log', file, '--site', site, '--json'];
      const kills = ['log.hits.part-counted:2', 'log.batch.committed:3']; // each causes a wait for a lease of ten seconds
      if (name === 'plain') kills.unshift('log.batch.events-inserted:3', 'log.hits.days-moved'); // because little depends on the format
      if (file === '-') kills.unshift('log.file.stored');
      for (const SEXTANT_FAILPOINT of kills) {
        const killed = await sextant(args, { ...input, environment: { SEXTANT_FAILPOINT } });
        expect(killed.signal, killed.errors).toBe('SIGKILL');
        await expectSound(database);
      }
      const ended = await sextant(args, input);
      expect(outcomes(ended)).toMatchObject([{ state: 'FINISHED', lines: 20_000, imported: 20_000, hits: 20_000 }]);
      expect(await logEvents(database.db).countDocuments({ site })).toBe(20_000);
      expect(await hitsOf(database, site)).toBe(20_000);
    },
    180_000,
  );

  it('waits for the lease of a killed process, and continues by itself', async () => {
    const args = ['import-log', await fileOf(log(2000)), '--site', 'waiting.example.org', '--json'];
    const killed = await sextant(args, { environment: { SEXTANT_FAILPOINT: 'log.batch.committed' } });
    expect(killed.signal).toBe('SIGKILL');
    expect(outcomes(await sextant(args))).toMatchObject([{ state: 'FINISHED', lines: 2000, hits: 2000 }]);
  }, 60_000);
});
