/** How a command fails: a message on standard error, and exit code 2 for wrong usage, 1 for everything else. */
import { ConfigError } from '../config/config.js';
import { TracingError } from '../config/open-telemetry.js';
import { DatabaseError } from '../database/connection/database-error.js';
import { SextantError } from '../shared/errors.js';
import { tell } from './output.js';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

export function fail(error: unknown): never {
  tellFailure(error);
  process.exit(error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED);
}

/** Prints an expected error as its message alone, an internal error with its stack. @param what the task that failed */
export function tellFailure(error: unknown, what?: string): void {
  const { text, isExpected } = describe(error);
  const whole = what === undefined ? text : `${what}: ${text}`;
  if (isExpected) tell(whole);
  else process.stderr.write(`${whole}\n`); // a stack is not folded: its readers look for its lines
}

function describe(error: unknown): { text: string; isExpected: boolean } {
  if (!(error instanceof Error)) return { text: String(error), isExpected: false };
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === 'listen')
    return { text: `The server cannot listen (${message}): choose another PORT or HOST`, isExpected: true };
  const isExpected = [ConfigError, DatabaseError, SextantError, TracingError].some((kind) => error instanceof kind);
  return { text: isExpected ? message : (error.stack ?? message), isExpected };
}
