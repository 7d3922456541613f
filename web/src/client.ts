/** Queries and mutations. Live data come by `live/`. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  type AnyVariables,
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  type OperationContext,
} from 'urql';
import { explainGraphQLError } from './errors.js';
import { ENDPOINT, fetchInSession } from './session.js';

export const client = new Client({
  url: ENDPOINT,
  exchanges: [cacheExchange, fetchExchange],
  fetch: fetchInSession,
  preferGetMethod: false,
  requestPolicy: 'cache-and-network',
});

/** What happened, as a sentence for a person. */
export function explainError(error: CombinedError): string {
  if (error.networkError) return 'The server cannot be reached.';
  const [first] = error.graphQLErrors;
  return first ? explainGraphQLError(first) : error.message;
}

/**
 * Sends a mutation.
 * @param context the types whose lists have changed, where the answer does not name them
 * @returns its data, or what happened, as a sentence for a person
 */
export async function mutate<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: Partial<OperationContext> = {},
): Promise<Data | string> {
  const { data, error } = await client.mutation(document, variables, context).toPromise();
  if (error) return explainError(error);
  return data ?? 'The server did not answer.';
}
