/** A query's result for exactly the current variables. A query that could not reach the server is retried when the server is back. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useState } from 'react';
import { type OperationContext, useQuery } from 'urql';
import { explainError } from './client.js';
import { useConnectionTurn } from './connection.js';

const noContext = {};

export interface Answer<Data> {
  /** Null while it is loading. During a refetch, or after one failed, the previous result stays. */
  readonly data: Data | null;
  readonly error: string | null;
  /** Refetches. */
  readonly again: () => void;
}

/**
 * @param variables null: do not send the query yet
 * @param context must be the same object at each call. For lists that may be empty: the types by which the cache knows
 *   that they have changed
 */
export function useData<Data, Variables extends Record<string, unknown>>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  context: Partial<OperationContext> = noContext,
): Answer<Data> {
  const pause = variables === null;
  const [{ data, error, operation }, execute] = useQuery<Data, Record<string, unknown>>({
    query: query as TypedDocumentNode<Data, Record<string, unknown>>,
    variables: variables ?? {},
    pause,
    context,
  });
  const again = useCallback(() => {
    if (!pause) execute({ requestPolicy: 'network-only' });
  }, [execute, pause]);
  const isUnreachable = Boolean(error?.networkError);
  useConnectionTurn(
    useCallback(
      (isAway: boolean) => {
        if (!isAway && isUnreachable) again();
      },
      [again, isUnreachable],
    ),
  );
  // After the variables change, urql still holds the result of the previous ones until the new result arrives.
  const key = JSON.stringify(variables);
  const current = operation && JSON.stringify(operation.variables) === key;
  const [known, setKnown] = useState<{ readonly of: string; readonly data: Data } | null>(null);
  if (current && data && known?.data !== data) setKnown({ of: key, data });
  return {
    data: known?.of === key ? known.data : null,
    error: current && error ? explainError(error) : null,
    again,
  };
}
