/** Errors of the server as sentences for a person. */
import type { GraphQLFormattedError } from 'graphql';

export const UNREACHABLE = 'The server cannot be reached. Is it running?';

/** `input.newPassword must have …` as "The new password must have …". */
export function explainGraphQLError({
  message,
  extensions,
}: Pick<GraphQLFormattedError, 'message' | 'extensions'>): string {
  const { field, rule } = extensions ?? {};
  if (typeof field !== 'string' || typeof rule !== 'string') return message;
  const name = field.replace(/^.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The ${name} ${rule}`;
}

/** A refusal, with how long to wait where it says so. */
export function explainRefusal({ message, retryAfterMs }: { message: string; retryAfterMs?: number }): string {
  if (retryAfterMs === undefined) return message;
  const minutes = Math.ceil(retryAfterMs / 60_000);
  return `${message}: ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
}

/** What a request threw. */
export function explainThrown(error: unknown): string {
  return error instanceof TypeError ? UNREACHABLE : (error as Error).message;
}
