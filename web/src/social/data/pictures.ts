/** Pictures of posts and profiles. */
import { graphql } from '../../../generated/gql.js';
import type { SocialPictureFragment } from '../../../generated/graphql.js';
import { sendFile } from '../../api/upload.js';

export type Picture = SocialPictureFragment;

graphql(`
  fragment SocialPicture on Asset { __typename id width height small: url(width: 320) }
`);

const UploadDocument = graphql(`
  mutation UploadSocialPicture($file: Upload!) {
    uploadPicture(file: $file) { __typename ... on Asset { ...SocialPicture } ... on Refusal { message } }
  }
`);

/** @returns the picture, or why it was not taken */
export async function uploadPicture(file: File, onProgress: (share: number) => void): Promise<Picture | string> {
  const answer = await sendFile(UploadDocument, { file }, { onProgress });
  if (typeof answer === 'string') return answer;
  return 'message' in answer.uploadPicture ? `${answer.uploadPicture.message}.` : answer.uploadPicture;
}
