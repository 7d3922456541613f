/** The photos of a gallery, and uploads into it. */
import { graphql } from '../../../generated/gql.js';
import type { PhotosQuery } from '../../../generated/graphql.js';
import { type Sending, sendFile } from '../../api/upload.js';
import { nameOfFile } from './pictures.js';

export const PhotosDocument = graphql(`
  query Photos($filter: NodeFilter!, $first: Int!, $after: String) {
    nodes(filter: $filter, first: $first, after: $after) {
      edges { cursor node { ...NodeRow ... on Photo { image { ...Picture } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const UploadPhotoDocument = graphql(`
  mutation UploadPhoto($parentId: ID!, $file: Upload!, $input: PhotoInput!) {
    uploadPhoto(parentId: $parentId, file: $file, input: $input) {
      __typename
      ... on Photo { id title }
      ... on Refusal { message }
    }
  }
`);

export type PhotoRow = PhotosQuery['nodes']['edges'][number]['node'];

/** Uploads a picture as a draft of a photo, named like its file. @returns why it was not stored, or null */
export async function uploadPhoto(parentId: string, file: File, sending: Sending): Promise<string | null> {
  const input = { title: nameOfFile(file.name) || file.name };
  const answer = await sendFile(UploadPhotoDocument, { parentId, file, input }, sending);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.uploadPhoto ? answer.uploadPhoto.message : null;
}
