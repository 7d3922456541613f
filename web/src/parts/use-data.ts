/** A query's answer for exactly the variables that are asked for. One that could not be had is asked for again when the server is back. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useState } from 'react';
import { type OperationContext, useQuery } from 'urql';
import { explainError } from '../client.js';
import { useConnectionTurn } from '../live/connection.js';

const noContext = {};

export interface Answer<Data> {
  /** Null while it is loading. While it is asked for again, or cannot be had, the answer before stays. */
  readonly data: Data | null;
  readonly error: string | null;
  /** Asks the server again. */
  readonly again: () => void;
}

/**
 * @param variables null: not to be asked yet
 * @param context the same object at each call: for lists that may be empty, the types by which the cache knows that they have changed
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
  const isUnreached = Boolean(error?.networkError);
  useConnectionTurn(
    useCallback(
      (isAway: boolean) => {
        if (!isAway && isUnreached) again();
      },
      [again, isUnreached],
    ),
  );
  // Between a change of the variables and its answer, urql still holds what belongs to the variables before.
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
