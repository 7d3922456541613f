/** How a command ends that cannot do its work: the message on standard error, and exit code 2 for wrong use, 1 for all else. */
import { ConfigError } from '../config.js';
import { DatabaseError } from '../database/database-error.js';
import { SextantError } from '../shared/errors.js';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** What is expected to happen is told by its message alone; a fault of ours with its stack. */
export function fail(error: unknown): never {
  const expected = [ConfigError, DatabaseError, SextantError].some((kind) => error instanceof kind);
  const refusesListening = (error as NodeJS.ErrnoException).syscall === 'listen';
  process.stderr.write(
    `${expected || refusesListening ? (error as Error).message : ((error as Error).stack ?? error)}\n`,
  );
  process.exit(error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED);
}
