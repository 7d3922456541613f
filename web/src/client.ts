/** Queries and mutations. Live data come by `live/`. */
import { Client, type CombinedError, cacheExchange, fetchExchange } from 'urql';
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
  return error.graphQLErrors[0]?.message ?? error.message;
}
