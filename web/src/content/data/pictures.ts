/** Pictures: stored on their own, then referred to by their ids. */
import { graphql } from '../../../generated/gql.js';
import type { PictureFragment } from '../../../generated/graphql.js';
import { sendFile } from '../../api/upload.js';

export type Picture = PictureFragment;

graphql(`
  fragment Picture on Asset { __typename id width height bytes contentType url small: url(width: 640) }
`);

export const PictureDocument = graphql(`
  query StoredPicture($id: ID!) {
    node(id: $id) { __typename id ...Picture }
  }
`);

const UploadPictureDocument = graphql(`
  mutation UploadPicture($file: Upload!) {
    uploadPicture(file: $file) {
      __typename
      ... on Asset { ...Picture }
      ... on Refusal { message }
    }
  }
`);

/** @returns the picture, or why it was not taken */
export async function uploadPicture(file: File, onProgress: (share: number) => void): Promise<Picture | string> {
  const answer = await sendFile(UploadPictureDocument, { file }, { onProgress });
  if (typeof answer === 'string') return answer;
  return 'message' in answer.uploadPicture ? answer.uploadPicture.message : answer.uploadPicture;
}

/** `sea_at-night.jpg` as `sea at night`: a start for a title, or for the words that describe the picture. */
export const nameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.\w+$/, '')
    .replace(/[[\]_-]+/g, ' ')
    .trim();
