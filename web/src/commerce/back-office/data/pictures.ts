/** The pictures of products, as staff change them. */
import { stringifyDocument } from 'urql';
import { graphql } from '../../../../generated/gql.js';
import type { UploadProductPictureMutation } from '../../../../generated/graphql.js';
import { mutate } from '../../../api/client.js';
import { ENDPOINT, keepSession } from '../../../api/session.js';

const ChangeImagesDocument = graphql(`
  mutation ChangeProductImages($sku: String!, $imageIds: [ID!]!) {
    changeProductImages(sku: $sku, imageIds: $imageIds) {
      __typename
      ... on Product { id images { id url(width: 320) } }
      ... on Refusal { message }
    }
  }
`);

const UploadDocument = graphql(`
  mutation UploadProductPicture($file: Upload!) {
    uploadPicture(file: $file) {
      __typename
      ... on Asset { id }
      ... on Refusal { message }
    }
  }
`);

/** @returns why it was refused, or null */
export async function changeImages(sku: string, imageIds: readonly string[]): Promise<string | null> {
  const answer = await mutate(ChangeImagesDocument, { sku, imageIds: [...imageIds] });
  if (typeof answer === 'string') return answer;
  const { changeProductImages: outcome } = answer;
  return 'message' in outcome ? outcome.message : null;
}

/** Uploads a picture. @returns its id, or why it was refused */
export async function uploadPicture(file: File): Promise<{ readonly id: string } | string> {
  await keepSession();
  const body = new FormData();
  body.append('operations', JSON.stringify({ query: stringifyDocument(UploadDocument), variables: { file: null } }));
  body.append('map', JSON.stringify({ 0: ['variables.file'] }));
  body.append('0', file);
  const headers = { 'apollo-require-preflight': 'true' }; // a form on another site cannot send this header
  try {
    const response = await fetch(ENDPOINT, { method: 'POST', body, headers });
    const { data, errors } = (await response.json()) as {
      readonly data?: UploadProductPictureMutation | null;
      readonly errors?: readonly { readonly message: string }[];
    };
    if (data?.uploadPicture.__typename === 'Asset') return { id: data.uploadPicture.id };
    return data?.uploadPicture.message ?? errors?.[0]?.message ?? `The server responded with status ${response.status}`;
  } catch {
    return 'The connection was lost. Try again.';
  }
}
