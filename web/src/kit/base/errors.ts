/** Server errors as sentences for the user. */
import type { GraphQLFormattedError } from 'graphql';
import { inMoney } from './money.js';

export const UNREACHABLE = 'The server cannot be reached.';

const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const oneOf = (list: string) => inWords(list).replace(/ies$/, 'y').replace(/s$/, '');

/**
 * A field as a sentence begins with it: `input.newPassword` as "The new password", `keywords.1` as "Keyword 2".
 * @param path as the server names it, or the end of it
 */
export function subjectOf(path: string): string {
  const parts = path.replace(/(?<=.)\.amount$/, '').split('.');
  const [list, index, name] = /^\d+$/.test(parts.at(-1) ?? '') ? parts.slice(-2) : parts.slice(-3);
  if (list === undefined || index === undefined || !/^\d+$/.test(index)) return `The ${inWords(parts.at(-1) ?? '')}`;
  const item = `${oneOf(list)} ${Number(index) + 1}`;
  return name === undefined ? `${item.charAt(0).toUpperCase()}${item.slice(1)}` : `The ${inWords(name)} of ${item}`;
}

/** `input.newPassword must have …` as "The new password must have …", with amounts as money. */
export function explainGraphQLError({
  message,
  extensions,
}: Pick<GraphQLFormattedError, 'message' | 'extensions'>): string {
  const { field, rule } = extensions ?? {};
  if (typeof field !== 'string' || typeof rule !== 'string') return message;
  return `${subjectOf(field)} ${inMoney(rule)}`;
}

/** Whether such a sentence is about a field, by the last word of its name. */
export const isAbout = (name: string, sentence: string): boolean => sentence.startsWith(`The ${name} `);

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
