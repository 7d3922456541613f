/** A client's operations on pictures. */
import type { TestServer } from '../../support/server.js';

export const UPLOAD = `mutation ($file: Upload!, $keepLocation: Boolean! = false) {
  uploadPicture(file: $file, keepLocation: $keepLocation) {
    __typename
    ... on Asset { id url small: url(width: 320) contentType bytes width height }
    ... on NotAPicture { message found }
  }
}`;

export interface UploadAnswer {
  readonly data?: { readonly uploadPicture: Readonly<Record<string, string | number>> };
  readonly extensions?: { readonly writtenAt?: string };
  readonly errors?: readonly { readonly extensions: { readonly code: string; readonly limit?: number } }[];
}

/** The body of a multipart request. */
export function formOf(query: string, variables: object, bytes: Buffer, name = 'a.jpg'): FormData {
  const form = new FormData();
  form.append('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
  form.append('map', JSON.stringify({ file: ['variables.file'] }));
  form.append('file', new File([new Uint8Array(bytes)], name));
  return form;
}

export async function upload(
  { url }: Pick<TestServer, 'url'>,
  token: string | null,
  bytes: Buffer,
  variables: object = {},
): Promise<UploadAnswer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    body: formOf(UPLOAD, variables, bytes),
    headers: { 'apollo-require-preflight': '1', ...(token && { authorization: `Bearer ${token}` }) },
  });
  return (await response.json()) as UploadAnswer;
}
