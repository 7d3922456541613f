/** How a command ends that cannot do its work: the message on standard error, and exit code 2 for wrong use, 1 for all else. */
import { ConfigError } from '../config.js';
import { DatabaseError } from '../database/database-error.js';
import { SextantError } from '../shared/errors.js';
import { TracingError } from '../tracing.js';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** What is expected to happen is told by its message alone; a fault of ours with its stack. */
export function fail(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') return `The server cannot listen (${message}): choose another PORT or HOST`;
  const expected = [ConfigError, DatabaseError, SextantError, TracingError].some((kind) => error instanceof kind);
  return expected ? message : (error.stack ?? message);
}
