/** Imports of files in memory, each test with its own site. */
import { Readable } from 'node:stream';
import { beforeEach, expect } from 'vitest';
import { dailyHits, monthlyHits } from '../../../src/models/analytics/hits/hit.js';
import { keptFields } from '../../../src/models/analytics/log/log-fields.js';
import { logEvents } from '../../../src/models/analytics/log-growth/log-segment.js';
import { enlistFile } from '../../../src/models/analytics/log-import/log-identity.js';
import {
  findLogImport,
  type LogImportDocument,
  type LogImportOptions,
} from '../../../src/models/analytics/log-import/log-import.js';
import {
  findLogImportViolations,
  type LogImportViolation,
} from '../../../src/models/analytics/log-import/log-import-invariants.js';
import { LogImporter } from '../../../src/models/analytics/log-import/log-importer.js';
import type { LogSource } from '../../../src/models/analytics/log-import/log-source.js';
import { takeUpload } from '../../../src/models/analytics/log-import/log-upload.js';
import type { TestDatabase } from '../../support/database.js';

export const now = () => new Date('2026-01-01T00:00:00Z');
export const everything: LogImportOptions = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false };

/** Call at the top of a test file. */
export function useImports(database: TestDatabase) {
  let sites = 0;
  const site = () => `site${sites}.example.org`;
  beforeEach(() => {
    sites += 1;
  });

  const importer = (keep = keptFields([]), clock = now) =>
    new LogImporter(database.db, {
      holder: 'test',
      keep,
      now: clock,
      onFault: (error) => {
        throw error;
      },
    });

  async function enlist(source: LogSource, options = everything): Promise<LogImportDocument> {
    const enlisted = await enlistFile(database.db, source, { site: site(), options, file: null }, now());
    if (!('document' in enlisted)) throw new Error(enlisted.message);
    return enlisted.document;
  }

  /** Like `sextant import-log`. */
  async function importAll(source: LogSource, options = everything, reader = importer()): Promise<LogImportDocument> {
    const document = await enlist(source, options);
    const done = await reader.run(document._id, source);
    if (done === 'BUSY') throw new Error('Another process is working on the import');
    return done ?? document;
  }

  /** An upload that no process has read yet. @returns its import's id */
  async function upload(of: string, lines: readonly string[]): Promise<string> {
    const file = { name: 'access.log', bytes: () => Readable.from([Buffer.from(`${lines.join('\n')}\n`)]) };
    const taken = await takeUpload(database.db, file, { site: of, options: everything }, new Date());
    if (!('_id' in taken)) throw new Error(taken.message);
    return taken._id;
  }

  /** For imports that run in the background. */
  const ended = (id: string) => expect.poll(() => findLogImport(database.db, id), { timeout: 20_000 });

  /** The hits of a page, from both kinds of counters. */
  async function hitsOf(page: string): Promise<{ days: number; months: number }> {
    const sum = (counts: Record<string, number>[]) =>
      counts.flatMap((each) => Object.values(each)).reduce((a, b) => a + b, 0);
    const query = { 'metadata.site': site(), 'metadata.page': page };
    const days = await dailyHits(database.db).find(query).toArray();
    const months = await monthlyHits(database.db).find(query).toArray();
    return { days: sum(days.map(({ hourly }) => hourly ?? {})), months: sum(months.map(({ daily }) => daily ?? {})) };
  }

  async function violations(): Promise<LogImportViolation[]> {
    const found: LogImportViolation[] = [];
    for await (const violation of findLogImportViolations(database.db)) found.push(violation);
    return found;
  }

  const events = () => logEvents(database.db).countDocuments({ site: site() });

  return { site, importer, enlist, importAll, upload, ended, hitsOf, violations, events };
}
