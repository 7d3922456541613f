/** Server errors as sentences for the user. */
import type { GraphQLFormattedError } from 'graphql';

export const UNREACHABLE = 'The server cannot be reached.';

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

/** A refusal, with the time to wait if it has one. */
export function explainRefusal({ message, retryAfterMs }: { message: string; retryAfterMs?: number }): string {
  if (retryAfterMs === undefined) return message;
  const minutes = Math.ceil(retryAfterMs / 60_000);
  return `${message} (in ${minutes === 1 ? 'a minute' : `${minutes} minutes`})`;
}

/** The error that a request threw, as a sentence. */
export function explainThrown(error: unknown): string {
  return error instanceof TypeError ? UNREACHABLE : (error as Error).message;
}
