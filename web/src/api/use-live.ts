/** The state of a subscription, as a React hook. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useState } from 'react';
import { type EventOf, follow } from './subscription.js';

export interface Live<State> {
  /** Null until the first event. */
  readonly state: State | null;
  /** Why the server refused the subscription; null otherwise. */
  readonly refused: string | null;
}

const nothing = { state: null, refused: null } as const;

/**
 * Follows a subscription while the component is mounted. Every event goes through `apply`; the component re-renders at
 * most once per frame.
 * @param variables null: nothing to follow yet. New values restart the subscription.
 * @param apply returns the state after the event; its state is null before the first. Must be pure, and the same
 *   function at each call.
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

  return shown.key === key ? shown : nothing; // the state of the previous variables is never shown under the new ones
}
