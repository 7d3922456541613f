/** A query's result for exactly the current variables. A query that could not reach the server is retried when the server is back. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useState } from 'react';
import { type CombinedError, type OperationContext, useQuery } from 'urql';
import { explainError } from './client.js';
import { useConnectionTurn, useIsAway } from './connection.js';

const noContext = {};

export interface Answer<Data> {
  /** Null while it is loading. During a refetch, or after one failed, the previous result stays. */
  readonly data: Data | null;
  /** Null while the live connection is down if the server could not be reached: the page shows that once, for all queries. */
  readonly error: string | null;
  /** Refetches. */
  readonly again: () => void;
}

/**
 * @param variables null: do not send the query yet
 * @param context must be the same object at each call. For lists that may be empty, it names the types whose changes
 *   invalidate the cached list
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
  const isAway = useIsAway();
  // It stays hidden until the retry, which starts when the connection is back, has an answer.
  const [hidden, setHidden] = useState<CombinedError | null>(null);
  if (isAway && error && isUnreachable && hidden !== error) setHidden(error);
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
    error: current && error && error !== hidden ? explainError(error) : null,
    again,
  };
}
