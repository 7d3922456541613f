/**
 * The closed list of error codes (`schema/errors.graphql` and `docs/errors.md` hold the same list; a test compares the three)
 * and the errors that carry them. Expected outcomes are not errors but refusals, see `outcome.ts`.
 */
export const errorCodes = {
  BAD_USER_INPUT: 'The input is invalid',
  BAD_REQUEST: 'The request is malformed',
  UNAUTHENTICATED: 'The caller is not signed in, or the token has expired',
  FORBIDDEN: 'The signed-in user, or the API key, may not do this',
  NOT_FOUND: 'The requested object does not exist',
  CONFLICT: 'The object was changed at the same time by another request',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was already used with a different input',
  LIMIT_EXCEEDED: 'The request exceeds a documented limit',
  BAD_CURSOR: 'The cursor is invalid or belongs to another list or subscription',
  SLOW_CONSUMER: 'The subscription was closed because the client did not consume its events fast enough',
  SERVER_BUSY: 'The server is overloaded',
  DATABASE_UNAVAILABLE: 'The database is unreachable or electing a new primary',
  INTERNAL_SERVER_ERROR: 'An internal error',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An error whose code and details a client may see. Anything else that is thrown is masked as INTERNAL_SERVER_ERROR. */
export class SextantError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Added to `extensions` next to the code. Never a secret, never a driver's message. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = code;
  }
}

/** The input is invalid. @param field the input's path, for example `hit.page` */
export class InputError extends SextantError {
  constructor(field: string, rule: string) {
    super('BAD_USER_INPUT', `${field} ${rule}`, { field, rule });
  }
}

/** A documented limit is exceeded. @param limit the limit */
export class LimitError extends SextantError {
  constructor(message: string, limit: number, details: Readonly<Record<string, unknown>> = {}) {
    super('LIMIT_EXCEEDED', message, { limit, ...details });
  }
}

/** The same request may succeed after `retryAfterMs`. What it wrote before is unknown: a retry with its idempotency key completes it. */
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

/** The server, or the caller's share of it, is overloaded. */
export class BusyError extends TransientError {
  constructor(message: string, retryAfterMs = 1000) {
    super('SERVER_BUSY', message, retryAfterMs);
  }
}

/** The same, and nothing was written. */
export class NothingWrittenError extends BusyError {}

const DATABASE_RETRY_MS = 2000; // a restart or an election takes some seconds

/** The database is unreachable or electing a new primary. */
export class UnavailableError extends TransientError {
  constructor(message = 'The database does not respond', details: Readonly<Record<string, unknown>> = {}) {
    super('DATABASE_UNAVAILABLE', message, DATABASE_RETRY_MS, details);
  }
}

/** The cursor is forged, damaged, or of another list or subscription. The message is the same, so that a forger learns nothing. */
export class CursorError extends SextantError {
  constructor() {
    super('BAD_CURSOR', 'This cursor does not belong to this list or subscription');
  }
}
