/** `sextant export-world`: the world of the game to a file that `import-world` reads. */
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { startWorldExport } from '../../models/game/export/world-export.js';
import { type ExportOptions, exportToFile, withExportOptions } from '../support/data-export.js';
import { requireDomain } from '../support/domain.js';
import { withDomains } from '../support/domain-session.js';

export const exportWorldCommand = withExportOptions(
  new Command('export-world')
    .summary('export the world of the game')
    .description('export all locations, folk and items of the game as JSON lines'),
).action((options: ExportOptions) =>
  withDomains(
    (config) => requireDomain(config, 'game'),
    (session) =>
      exportToFile(session, options, () =>
        startWorldExport(session.db, { id: randomUUID(), owner: null }, session.now()),
      ),
  ),
);
