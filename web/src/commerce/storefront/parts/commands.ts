/**
 * Mutations that must not take effect twice. Each is sent with an idempotency key. If no response arrives, it is
 * retried with the same key and takes effect only once, whether or not the first attempt did.
 */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { AnyVariables, CombinedError } from 'urql';
import { explainError, uncachedClient } from '../../../api/client.js';
import { sendWithKey } from '../../../api/request-key.js';

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
  /** Whether it may have taken effect despite the failure. A retry with the same key finds out. */
  readonly open: boolean;
}

export const isFailed = (outcome: object): outcome is Failed => 'open' in outcome;

/** @param variables including the idempotency key, if any: the same for each retry */
export async function command<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Answered<Data> | Failed> {
  for (let attempt = 0; ; attempt += 1) {
    const { data, error, extensions } = await uncachedClient.mutation(document, variables as never).toPromise();
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

/** Sends a mutation with an idempotency key. While its outcome is unknown, the same mutation gets the same key again. */
export const commandOnce = <Data, Variables extends AnyVariables & { readonly key: string }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'key'>,
): Promise<Answered<Data> | Failed> =>
  sendWithKey(
    document,
    variables,
    (keyed) => command(document, keyed),
    (outcome) => isFailed(outcome) && outcome.open,
  );
