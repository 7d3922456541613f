/** Uploading one picture for a form: the progress, and why it was not taken. */
import { useState } from 'react';
import { graphql } from '../../generated/gql.js';
import { sendFile } from './upload.js';

export interface UploadedPicture {
  readonly id: string;
  /** The address of a small form. */
  readonly small: string;
}

const UploadDocument = graphql(`
  mutation UploadFormPicture($file: Upload!) {
    uploadPicture(file: $file) { __typename ... on Asset { id small: url(width: 320) } ... on Refusal { message } }
  }
`);

/** @returns the picture, or why it was not taken */
async function upload(file: File, onProgress: (share: number) => void): Promise<UploadedPicture | string> {
  const answer = await sendFile(UploadDocument, { file }, { onProgress });
  if (typeof answer === 'string') return answer;
  return 'message' in answer.uploadPicture ? `${answer.uploadPicture.message}.` : answer.uploadPicture;
}

/** One at a time: another one is ignored until the first has been sent. */
export function usePictureUpload(onChange: (picture: UploadedPicture) => void, onBusy: (isBusy: boolean) => void) {
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const take = async (file: File | undefined) => {
    if (!file || share !== null) return;
    setFailure(null);
    setShare(0);
    onBusy(true);
    const uploaded = await upload(file, setShare);
    setShare(null);
    onBusy(false);
    if (typeof uploaded === 'string') setFailure(uploaded);
    else onChange(uploaded);
  };
  return { share, failure, take };
}
