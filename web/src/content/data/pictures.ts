/** Pictures: stored on their own, then referred to by their ids. */
import { graphql } from '../../../generated/gql.js';
import { sendFile } from '../../api/upload.js';

graphql(`
  fragment Picture on Asset { id width height bytes contentType url small: url(width: 640) }
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

/** @returns the picture's id, or why it was not taken */
export async function uploadPicture(
  file: File,
  onProgress: (share: number) => void,
): Promise<{ readonly id: string } | string> {
  const answer = await sendFile(UploadPictureDocument, { file }, { onProgress });
  if (typeof answer === 'string') return answer;
  return 'message' in answer.uploadPicture ? answer.uploadPicture.message : { id: answer.uploadPicture.id };
}
