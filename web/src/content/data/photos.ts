/** The photos of a gallery: uploads into it, their order, and other pictures for them. */
import { graphql } from '../../../generated/gql.js';
import type { GalleryPhotosQuery } from '../../../generated/graphql.js';
import { client, explainError, mutate } from '../../api/client.js';
import { type Sending, sendFile } from '../../api/upload.js';
import { nameOfFile } from './pictures.js';

/** For editors: all photos in the order of the gallery. */
const GalleryPhotosDocument = graphql(`
  query GalleryPhotos($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      __typename
      id
      ... on Gallery {
        photoOrder
        allPhotos(first: $first, after: $after) {
          edges { node { ...NodeRow ... on Photo { image { ...Picture } } } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

/** For authors: their own. */
const OwnPhotosDocument = graphql(`
  query OwnPhotos($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      __typename
      id
      ... on Gallery {
        photoOrder
        allPhotos: ownPhotos(first: $first, after: $after) {
          edges { node { ...NodeRow ... on Photo { image { ...Picture } } } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

/** An event for each change of the gallery, also of its order. */
export const GalleryChangedDocument = graphql(`
  subscription GalleryChanged($id: ID!, $after: String) {
    nodeChanged(id: $id, after: $after) { cursor reset node { __typename id nonce } }
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

const ReplacePhotoDocument = graphql(`
  mutation ReplacePhoto($id: ID!, $file: Upload!) {
    replacePhoto(id: $id, file: $file) {
      __typename
      ... on Photo { id nonce version image { ...Picture } }
      ... on Refusal { message }
    }
  }
`);

const PlacePhotoDocument = graphql(`
  mutation PlacePhoto($id: ID!, $after: ID) {
    placePhoto(id: $id, after: $after) {
      __typename
      ... on Photo { id }
      ... on Refusal { message }
    }
  }
`);

type GalleryNode = Extract<NonNullable<GalleryPhotosQuery['node']>, { readonly __typename: 'Gallery' }>;
export type PhotoRow = GalleryNode['allPhotos']['edges'][number]['node'];

export interface GalleryPhotos {
  readonly photos: readonly PhotoRow[];
  readonly hasMore: boolean;
  readonly isNewestFirst: boolean;
}

const PER_PAGE = 60;

/**
 * The first pages of a gallery, as they are now.
 * @param ownOnly only those of the viewer, most recently edited first
 * @returns them, or why they could not be read
 */
export async function readPhotos(id: string, ownOnly: boolean, pages: number): Promise<GalleryPhotos | string> {
  const photos = new Map<string, PhotoRow>(); // one that was placed between two pages may be on both
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    const variables: { id: string; first: number; after: string | null } = { id, first: PER_PAGE, after };
    const { data, error } = await client
      .query(ownOnly ? OwnPhotosDocument : GalleryPhotosDocument, variables, { requestPolicy: 'network-only' })
      .toPromise();
    if (error) return explainError(error);
    if (data?.node?.__typename !== 'Gallery') return 'The gallery is no longer there.';
    const { edges, pageInfo } = data.node.allPhotos;
    for (const { node } of edges) photos.set(node.id, node);
    after = pageInfo.endCursor ?? null;
    if (page >= pages || !pageInfo.hasNextPage)
      return {
        photos: [...photos.values()],
        hasMore: pageInfo.hasNextPage,
        isNewestFirst: data.node.photoOrder === 'NEWEST_FIRST',
      };
  }
}

/** Uploads a picture as a draft of a photo, named like its file. @returns why it was not stored, or null */
export async function uploadPhoto(parentId: string, file: File, sending: Sending): Promise<string | null> {
  const input = { title: nameOfFile(file.name) || file.name };
  const answer = await sendFile(UploadPhotoDocument, { parentId, file, input }, sending);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.uploadPhoto ? answer.uploadPhoto.message : null;
}

/** Gives a photo another picture. @returns why it has still the old one, or null */
export async function replacePhoto(id: string, file: File, sending: Sending): Promise<string | null> {
  const answer = await sendFile(ReplacePhotoDocument, { id, file }, sending);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.replacePhoto ? answer.replacePhoto.message : null;
}

/** @param after null: it becomes the first one @returns why it is still where it was, or null */
export async function placePhoto(id: string, after: string | null): Promise<string | null> {
  const answer = await mutate(PlacePhotoDocument, { id, after });
  if (typeof answer === 'string') return answer;
  return 'message' in answer.placePhoto ? answer.placePhoto.message : null;
}
