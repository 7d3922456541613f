/**
 * Mutations that must not take effect twice. Each is sent with an idempotency key. If no response arrives, it is
 * retried with the same key, so that it takes effect only once whatever happened to the first attempt.
 */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Client, type CombinedError, fetchExchange } from 'urql';
import { explainError } from '../../../api/client.js';
import { newKey } from '../../../api/request-key.js';
import { ENDPOINT, fetchInSession } from '../../../api/session.js';

/** Without a cache: subscriptions report changes, and product lists need no refetch. */
const commands = new Client({
  url: ENDPOINT,
  exchanges: [fetchExchange],
  fetch: fetchInSession,
  preferGetMethod: false,
});

/** The delay before each retry. */
const REPEAT_AFTER_MS = [300, 900, 2_000] as const;

export interface Answered<Data> {
  readonly data: Data;
  /** The position of the write in the change stream. Null if the server does not report it. */
  readonly writtenAt: string | null;
}

export interface Failed {
  /** A sentence for the user. */
  readonly message: string;
  /** Whether it may have taken effect nevertheless. A retry with the same key finds out. */
  readonly open: boolean;
}

export const isFailed = (outcome: object): outcome is Failed => 'open' in outcome;

/** @param variables including the idempotency key, if any: the same for each retry */
export async function command<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Answered<Data> | Failed> {
  for (let attempt = 0; ; attempt += 1) {
    const { data, error, extensions } = await commands.mutation(document, variables as never).toPromise();
    if (data && !error) return { data: data as Data, writtenAt: extensions?.writtenAt ?? null };
    const failed = { message: error ? explainError(error) : 'The server did not respond.', open: isOpen(error) };
    const waitMs = REPEAT_AFTER_MS[attempt];
    const repeated = error?.response?.status === 503; // already retried by `fetchPatiently`
    if (!failed.open || repeated || waitMs === undefined) return failed;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

const OPEN_CODES: ReadonlySet<unknown> = new Set(['SERVER_BUSY', 'DATABASE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR']);

/** Whether the mutation may have taken effect despite the error. */
function isOpen(error: CombinedError | undefined): boolean {
  const code = error?.graphQLErrors[0]?.extensions?.code;
  return code === undefined || OPEN_CODES.has(code);
}

/** Keys of changes whose response never arrived: the same change gets the same key again. */
const openKeys = new Map<string, string>();

/** @param change identifies the change: the operation with all its input */
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
