/**
 * Changes that must not happen twice. Each goes out under a key; when no answer comes, the same key goes out again, so that whatever
 * became of the first try, the change is made once.
 */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Client, type CombinedError, fetchExchange } from 'urql';
import { explainError } from '../client.js';
import { newKey } from '../request-key.js';
import { ENDPOINT, fetchInSession } from '../session.js';

/** Without a cache: what has changed is told by subscriptions, and lists of products need not be asked for again. */
const commands = new Client({
  url: ENDPOINT,
  exchanges: [fetchExchange],
  fetch: fetchInSession,
  preferGetMethod: false,
});

/** How long to wait before each repeat. */
const REPEAT_AFTER_MS = [300, 900, 2_000] as const;

export interface Answered<Data> {
  readonly data: Data;
  /** The position in the stream of changes that has seen it. Null when the server does not tell. */
  readonly writtenAt: string | null;
}

export interface Failed {
  /** A sentence for a person. */
  readonly message: string;
  /** Whether it may have been done all the same. A repeat with the same key tells. */
  readonly open: boolean;
}

export const isFailed = (outcome: object): outcome is Failed => 'open' in outcome;

/** @param variables with the key, where there is one: the same at each repeat */
export async function command<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Answered<Data> | Failed> {
  for (let attempt = 0; ; attempt += 1) {
    const { data, error, extensions } = await commands.mutation(document, variables as never).toPromise();
    if (data && !error) return { data: data as Data, writtenAt: extensions?.writtenAt ?? null };
    const failed = { message: error ? explainError(error) : 'The server did not answer.', open: isOpen(error) };
    const waitMs = REPEAT_AFTER_MS[attempt];
    const repeated = error?.response?.status === 503; // by `fetchPatiently`, as often as is good
    if (!failed.open || repeated || waitMs === undefined) return failed;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

const OPEN_CODES: ReadonlySet<unknown> = new Set(['SERVER_BUSY', 'DATABASE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR']);

/** Whether the server may have done it although it did not say so. */
function isOpen(error: CombinedError | undefined): boolean {
  const code = error?.graphQLErrors[0]?.extensions?.code;
  return code === undefined || OPEN_CODES.has(code);
}

/** Keys of changes whose answer never came: whoever asks for the same again gets the same key. */
const openKeys = new Map<string, string>();

/** @param change names it: the operation with all its input */
export async function once<Outcome extends object>(
  change: readonly unknown[],
  send: (key: string) => Promise<Outcome>,
): Promise<Outcome> {
  const name = JSON.stringify(change);
  const key = openKeys.get(name) ?? newKey();
  openKeys.set(name, key);
  const outcome = await send(key);
  if (!isFailed(outcome) || !outcome.open) openKeys.delete(name);
  return outcome;
}
