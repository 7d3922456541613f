/** A subscription's state in a component. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useState } from 'react';
import { type EventOf, follow } from './subscription.js';

export interface Live<State> {
  /** Null until the first event. */
  readonly state: State | null;
  /** Why the server refuses; null otherwise. */
  readonly refused: string | null;
}

const nothing = { state: null, refused: null } as const;

/**
 * Follows a subscription while the component is there. Every event goes through `apply`; the component is drawn at most once a frame.
 * @param variables null: nothing to follow yet. Other values begin anew.
 * @param apply the state after the event; null stands for the state before the first. Pure, and the same function at each call.
 */
export function useLive<Data, Variables extends Record<string, unknown>, State>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  apply: (state: State | null, event: EventOf<Data>) => State,
): Live<State> {
  const key = variables && JSON.stringify(variables);
  const [shown, show] = useState<Live<State> & { key: string | null }>({ ...nothing, key });

  useEffect(() => {
    if (key === null) return;
    let state: State | null = null;
    let frame = 0;
    const draw = () => {
      frame = 0;
      show({ key, state, refused: null });
    };
    const stop = follow(document, JSON.parse(key) as Variables, {
      event: (event) => {
        state = apply(state, event);
        frame ||= requestAnimationFrame(draw);
      },
      refused: (message) => show({ key, state, refused: message }),
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [document, key, apply]);

  return shown.key === key ? shown : nothing; // what belongs to the variables before is never shown under these
}
