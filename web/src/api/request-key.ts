/** Idempotency keys, for mutations that must not take effect twice. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type AnyVariables, stringifyDocument } from 'urql';
import { newKey } from './new-key.js';

/** Keys of requests whose outcome is unknown: the same request is sent with the same key again. */
const openKeys = new Map<string, string>();

/**
 * Sends a mutation with an idempotency key: the key of the last attempt if its outcome is unknown, otherwise a new one.
 * @param isOpen whether the request may have taken effect, although the outcome does not say so
 */
export async function sendWithKey<Data, Variables extends AnyVariables & { readonly key: string }, Outcome>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'key'>,
  send: (variables: Variables) => Promise<Outcome>,
  isOpen: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  const request = `${stringifyDocument(document)} ${JSON.stringify(variables)}`;
  const key = openKeys.get(request) ?? newKey();
  openKeys.set(request, key);
  const outcome = await send({ ...variables, key } as Variables);
  if (!isOpen(outcome)) openKeys.delete(request);
  return outcome;
}
