/** `sextant doctor`: looks for indexes that differ from those declared. Changes nothing. */
import { Command } from 'commander';
import { readConfig, readEnvironment } from '../config.js';
import { auditIndexes, type IndexFinding } from '../database/index-audit.js';
import { openDatabase } from '../database/open-database.js';
import { EXIT_FAILED } from './failure.js';
import { makeSteps } from './steps.js';

export const doctorCommand = new Command('doctor')
  .description('check the invariants and the indexes of the database; changes nothing')
  .option('--json', 'for machines')
  .action(async ({ json }: { json?: boolean }) => {
    const steps = makeSteps(process.stderr);
    const database = await openDatabase(readConfig(readEnvironment()), steps.show);
    try {
      await import('../server/index.js'); // declares all collections; only here, because it is half a second's work
      steps.show({ text: 'Comparing indexes' });
      const indexes = await auditIndexes(database.db);
      steps.end();
      const healthy = indexes.every(({ problem }) => problem !== 'MISSING');
      process.stdout.write(json ? `${JSON.stringify({ healthy, indexes }, null, 2)}\n` : report(indexes));
      if (!healthy) process.exitCode = EXIT_FAILED;
    } finally {
      await database.close();
    }
  });

function report(indexes: readonly IndexFinding[]): string {
  if (indexes.length === 0) return 'All is well\n';
  return indexes
    .map(({ problem, collection, key }) =>
      problem === 'MISSING'
        ? `Index missing: ${collection} ${key}. The server builds it at its start\n`
        : `Index that nothing needs: ${collection} ${key}. Drop it if you did not make it for yourself\n`,
    )
    .join('');
}
