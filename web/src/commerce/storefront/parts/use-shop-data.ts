/** A query's result, always refetched when the server is back: what is shown may be outdated. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback } from 'react';
import { useConnectionTurn } from '../../../api/connection.js';
import { type Answer, useData } from '../../../api/use-data.js';

/** @param variables null: do not send the query yet */
export function useShopData<Data, Variables extends Record<string, unknown>>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
): Answer<Data> {
  const answer = useData(query, variables);
  const { again } = answer;
  useConnectionTurn(useCallback((isAway) => isAway || again(), [again]));
  return answer;
}
