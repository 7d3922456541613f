/** Mutations with a file. With XMLHttpRequest, since `fetch` does not report upload progress. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { GraphQLFormattedError } from 'graphql';
import { stringifyDocument } from 'urql';
import { explainGraphQLError } from '../kit/base/errors.js';
import { ENDPOINT, keepSession } from './session.js';

export const CANCELED = 'Canceled';
export const LOST = 'The connection was lost while the file was being sent.';

export interface Sending {
  /** @param share of the file that has been sent, 0 to 1 */
  readonly onProgress: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends a mutation with a file as a multipart request: memory does not grow with the file.
 * @returns its data, or why it failed as a sentence for the user
 */
export async function sendFile<Data, Variables extends { readonly file: File }>(
  document: TypedDocumentNode<Data, Variables>,
  { file, ...variables }: Variables,
  { onProgress, signal }: Sending,
): Promise<Data | string> {
  await keepSession();
  if (signal?.aborted) return CANCELED;
  const request = new XMLHttpRequest();
  const body = new FormData();
  body.append(
    'operations',
    JSON.stringify({ query: stringifyDocument(document), variables: { ...variables, file: null } }),
  );
  body.append('map', JSON.stringify({ 0: ['variables.file'] }));
  body.append('0', file);
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => request.abort());
    request.upload.addEventListener('progress', ({ loaded }) =>
      onProgress(Math.min(1, loaded / Math.max(1, file.size))),
    );
    request.addEventListener('load', () => resolve(read<Data>(request)));
    request.addEventListener('abort', () => resolve(CANCELED));
    request.addEventListener('error', () => resolve(LOST));
    request.open('POST', ENDPOINT);
    request.setRequestHeader('apollo-require-preflight', 'true'); // a form on another site cannot send this header
    request.send(body);
  });
}

function read<Data>({ responseText, status }: XMLHttpRequest): Data | string {
  try {
    const { data, errors } = JSON.parse(responseText) as {
      readonly data?: Data | null;
      readonly errors?: readonly GraphQLFormattedError[];
    };
    if (data) return data;
    return errors?.[0] ? explainGraphQLError(errors[0]) : `The server responded with status ${status}`;
  } catch {
    return status === 413
      ? 'The file is larger than the server accepts.'
      : `The server responded with status ${status}`;
  }
}
