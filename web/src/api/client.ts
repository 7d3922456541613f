/** The clients for queries and mutations. Live data comes from `subscription.ts`. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  type AnyVariables,
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  type OperationContext,
} from 'urql';
import { explainGraphQLError } from '../kit/base/errors.js';
import { sendWithKey } from './request-key.js';
import { ENDPOINT, fetchInSession } from './session.js';

const server = { url: ENDPOINT, fetch: fetchInSession, preferGetMethod: false } as const;

export const client = new Client({
  ...server,
  exchanges: [cacheExchange, fetchExchange],
  requestPolicy: 'cache-and-network',
});

/** For lists that are too long to keep in memory, and for mutations whose changes arrive by subscription. */
export const uncachedClient = new Client({ ...server, exchanges: [fetchExchange], requestPolicy: 'network-only' });

/** The error as a sentence for the user. */
export function explainError(error: CombinedError): string {
  if (error.networkError) return 'The server cannot be reached.';
  const [first] = error.graphQLErrors;
  return first ? explainGraphQLError(first) : error.message;
}

/**
 * Sends a mutation.
 * @param context the types whose lists have changed, if the result does not contain them
 * @returns its data, or the error as a sentence for the user
 */
export async function mutate<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: Partial<OperationContext> = {},
): Promise<Data | string> {
  const { data, error } = await client.mutation(document, variables, context).toPromise();
  if (error) return explainError(error);
  return data ?? 'The server did not respond.';
}

/**
 * Sends a mutation that must not take effect twice. If no response arrives, sending the same again is safe.
 * @returns the same as `mutate`
 */
export const mutateOnce = <Data, Variables extends AnyVariables & { readonly key: string }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'key'>,
  context?: Partial<OperationContext>,
): Promise<Data | string> =>
  sendWithKey(
    document,
    variables,
    (keyed) => mutate(document, keyed, context),
    (answer) => typeof answer === 'string',
  );
