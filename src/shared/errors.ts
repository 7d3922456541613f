/**
 * The closed list of error codes (`schema/errors.graphql` and `docs/errors.md` hold the same list; a test compares the three)
 * and the errors that carry them. Whatever a caller must expect is not an error but a refusal, see `outcome.ts`.
 */
export const errorCodes = {
  BAD_USER_INPUT: 'The input breaks a rule',
  BAD_REQUEST: 'The request itself cannot be read',
  UNAUTHENTICATED: 'Nobody is signed in, or the token has expired',
  FORBIDDEN: 'Whoever is signed in may not do this',
  NOT_FOUND: 'What was asked for does not exist',
  CONFLICT: 'Somebody else changed it at the same time',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used before with another input',
  LIMIT_EXCEEDED: 'A documented bound is passed',
  BAD_CURSOR: 'The cursor is forged, damaged or of another list or subscription',
  SLOW_CONSUMER: 'The subscription was ended because its client took the events too slowly',
  SERVER_BUSY: 'The server has too much to do',
  DATABASE_UNAVAILABLE: 'The database cannot be reached, or changes its primary',
  INTERNAL_SERVER_ERROR: 'A fault of ours',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An error whose code and details a client may see. Anything else that is thrown is masked as INTERNAL_SERVER_ERROR. */
export class SextantError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Goes into `extensions` beside the code. Never a secret, never a driver's text. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = code;
  }
}

/** The input breaks a rule. @param field the input's path, for example `hit.page` */
export class InputError extends SextantError {
  constructor(field: string, rule: string) {
    super('BAD_USER_INPUT', `${field} ${rule}`, { field, rule });
  }
}

/** A documented bound is passed. @param limit the bound */
export class LimitError extends SextantError {
  constructor(message: string, limit: number, details: Readonly<Record<string, unknown>> = {}) {
    super('LIMIT_EXCEEDED', message, { limit, ...details });
  }
}

/** The same request may succeed after `retryAfterMs`. What it wrote before it failed is not known: a repeat with its key carries it on. */
export abstract class TransientError extends SextantError {
  constructor(
    code: 'SERVER_BUSY' | 'DATABASE_UNAVAILABLE',
    message: string,
    readonly retryAfterMs: number,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, message, { retryAfterMs, ...details });
  }
}

/** Too much to do. */
export class BusyError extends TransientError {
  constructor(message: string, retryAfterMs = 1000) {
    super('SERVER_BUSY', message, retryAfterMs);
  }
}

const DATABASE_RETRY_MS = 2000; // it is back after a restart or an election of some seconds

/** The database cannot be reached, or changes its primary. */
export class UnavailableError extends TransientError {
  constructor(message = 'The database does not answer', details: Readonly<Record<string, unknown>> = {}) {
    super('DATABASE_UNAVAILABLE', message, DATABASE_RETRY_MS, details);
  }
}

/** The cursor is forged, damaged, or of another list or subscription. One message for all: a forger learns nothing. */
export class CursorError extends SextantError {
  constructor() {
    super('BAD_CURSOR', 'This cursor was not given by this list or subscription');
  }
}
