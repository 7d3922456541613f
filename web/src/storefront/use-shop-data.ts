/** A query's answer, asked for again when the server is back. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useRef } from 'react';
import { connectionStore } from '../live/socket.js';
import { useStore } from '../parts/store.js';
import { type Answer, useData } from '../parts/use-data.js';

/** @param variables null: not to be asked yet */
export function useShopData<Data, Variables extends Record<string, unknown>>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
): Answer<Data> {
  const answer = useData(query, variables);
  const { phase } = useStore(connectionStore);
  const away = useRef(false);
  const { again } = answer;
  useEffect(() => {
    if (phase === 'offline') away.current = true;
    else if (away.current && phase !== 'connecting') {
      away.current = false;
      again();
    }
  }, [phase, again]);
  return answer;
}
