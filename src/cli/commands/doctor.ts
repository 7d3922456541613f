/** `sextant doctor`: checks the invariants of all domains, and compares the indexes with the declared ones. Read-only. */
import { Command } from 'commander';
import { readConfig, readEnvironment } from '../../config/config.js';
import { auditIndexes, type IndexFinding, wholeOf } from '../../database/collections/index-audit.js';
import type { Violation } from '../../models/domain.js';
import { VIOLATIONS_MAX } from '../../models/system/maintenance.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { print, printJson } from '../../terminal/output.js';
import { makeSteps } from '../../terminal/steps.js';
import { openCommandDatabase } from '../support/command-database.js';

export const doctorCommand = new Command('doctor')
  .description('check the invariants and the indexes')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExits with 1 when an invariant is violated or an index is missing. Stop imports first: it expects a database at rest.',
  )
  .action(async ({ json }: { json?: boolean }) => {
    const steps = makeSteps(process.stderr);
    const config = readConfig(readEnvironment());
    const database = await openCommandDatabase(config, steps);
    try {
      // Imported only here, because it takes half a second.
      const [{ collectionsOf, domainsOf }, { findFirstViolations }] = await Promise.all([
        import('../../domains.js'),
        import('../../models/violation.js'),
      ]);
      const domains = domainsOf(config);
      const collections = wholeOf(collectionsOf(domains));
      steps.show({ text: 'Comparing indexes' });
      const indexes = await auditIndexes(database.db, collections);
      const violations = await findFirstViolations(
        database.db,
        domains,
        VIOLATIONS_MAX,
        async ({ step, done, total }) =>
          steps.show({ text: `Checking invariants: ${step}`, done: total === 0 ? 0 : done / total }),
      );
      steps.end();
      const healthy = violations.length === 0 && indexes.every(({ problem }) => problem !== 'MISSING');
      if (json) printJson({ healthy, violations, indexes });
      else print(report(violations, indexes, collections.length));
      if (!healthy) process.exitCode = EXIT_FAILED;
    } finally {
      await database.close();
    }
  });

/** @param collections how many were compared */
function report(violations: readonly Violation[], indexes: readonly IndexFinding[], collections: number): string {
  if (violations.length + indexes.length === 0) return 'No problems found';
  const absent = indexes.filter(isAbsence).map(({ collection }) => collection);
  const broken = violations.map(
    ({ invariant, subject, expected, found }) =>
      `Invariant violated: ${invariant}, ${subject}: ${found} where ${expected} was expected`,
  );
  const present = indexes.filter(({ collection }) => !absent.includes(collection));
  const missing =
    absent.length === collections
      ? ['This database is empty: no server has been started with it yet']
      : absent.map((collection) => `Collection missing: ${collection}. The server creates it on start`);
  return [...broken, ...missing, ...present.map(reportIndex)].join('\n');
}

/** Every collection has an index on `_id`. */
const isAbsence = ({ problem, key }: IndexFinding) => problem === 'MISSING' && key === '{"_id":1}';

function reportIndex({ problem, collection, key }: IndexFinding): string {
  return problem === 'MISSING'
    ? `Index missing: ${collection} ${key}. The server builds it on start`
    : `Unused index: ${collection} ${key}. Drop it unless you created it yourself`;
}
