/** Queries and mutations. Live data come by `live/`. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  type AnyVariables,
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  type OperationContext,
  stringifyDocument,
} from 'urql';
import { explainGraphQLError } from './errors.js';
import { newKey } from './request-key.js';
import { ENDPOINT, fetchInSession } from './session.js';

const server = { url: ENDPOINT, fetch: fetchInSession, preferGetMethod: false } as const;

export const client = new Client({
  ...server,
  exchanges: [cacheExchange, fetchExchange],
  requestPolicy: 'cache-and-network',
});

/** Keeps no answer: for lists that are longer than what is to stay in memory. */
export const forgetfulClient = new Client({ ...server, exchanges: [fetchExchange], requestPolicy: 'network-only' });

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

/** Keys of requests whose answer never came: whoever asks for the same again sends the same key. */
const openKeys = new Map<string, string>();

/**
 * Sends a mutation that must not happen twice. When no answer comes, sending the same again has the effect of once.
 * @returns as `mutate`
 */
export async function mutateOnce<Data, Variables extends AnyVariables & { readonly key: string }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'key'>,
  context?: Partial<OperationContext>,
): Promise<Data | string> {
  const request = `${stringifyDocument(document)} ${JSON.stringify(variables)}`;
  const key = openKeys.get(request) ?? newKey();
  openKeys.set(request, key);
  const answer = await mutate(document, { ...variables, key } as Variables, context);
  if (typeof answer !== 'string') openKeys.delete(request);
  return answer;
}
