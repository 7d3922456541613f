/** Uploads of logs, one after the other. */
import { graphql } from '../../../generated/gql.js';
import type { ImportLogInput } from '../../../generated/graphql.js';
import { LOST, type Sending, sendFile } from '../../api/upload.js';
import { createStore } from '../../kit/base/store.js';
import { tellPastChanged } from '../sites/refresh.js';
import type { LogImport } from './imports.js';

const ImportLogDocument = graphql(`
  mutation ImportLog($file: Upload!, $input: ImportLogInput!) {
    importLog(file: $file, input: $input) {
      __typename
      ... on LogImport { ...LogImportFields }
      ... on Refusal { message }
    }
  }
`);

export interface Upload {
  readonly key: number;
  readonly site: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly sent: number;
  /** Why the upload failed. Null otherwise. */
  readonly failure: string | null;
  /** The import that it became. Null until then. */
  readonly taken: LogImport | null;
  readonly cancel: () => void;
}

/** Pending uploads, finished ones until they are in the list of imports, and failed ones until they are dismissed. */
export const uploadStore = createStore<readonly Upload[]>([]);

let keys = 0;
let queue: Promise<void> = Promise.resolve();

/** Uploads files one after the other, so that each gets the whole bandwidth. */
export function upload(files: Iterable<File>, input: ImportLogInput): void {
  for (const file of files) {
    keys += 1;
    const key = keys;
    const controller = new AbortController();
    const cancel = () => {
      controller.abort();
      dismissUpload(key);
    };
    const { name: fileName, size: bytes } = file;
    const waiting = { key, site: input.site, fileName, bytes, sent: 0, failure: null, taken: null, cancel };
    uploadStore.set([...uploadStore.get(), waiting]);
    queue = queue.then(async () => {
      if (!uploadStore.get().some((candidate) => candidate.key === key)) return; // canceled while waiting
      const outcome = await send(file, input, {
        onProgress: (share) => change(key, { sent: share * bytes }),
        signal: controller.signal,
      });
      if (typeof outcome === 'string') return change(key, { failure: outcome });
      change(key, { taken: outcome });
      tellPastChanged();
    });
  }
}

export const dismissUpload = (key: number) =>
  uploadStore.set(uploadStore.get().filter((candidate) => candidate.key !== key));

/** Removes uploads that are now in the list of imports. */
export function dismissListed(imports: readonly LogImport[]): void {
  const listed = new Set(imports.map(({ id }) => id));
  for (const { key, taken } of uploadStore.get()) if (taken && listed.has(taken.id)) dismissUpload(key);
}

const change = (key: number, to: Partial<Upload>) =>
  uploadStore.set(uploadStore.get().map((candidate) => (candidate.key === key ? { ...candidate, ...to } : candidate)));

/** @returns the import, or why it failed */
async function send(file: File, input: ImportLogInput, sending: Sending): Promise<LogImport | string> {
  const answer = await sendFile(ImportLogDocument, { file, input }, sending);
  if (answer === LOST) return 'The connection was lost. Drop the file again: each line counts once.';
  if (typeof answer === 'string') return answer;
  const { importLog } = answer;
  return importLog.__typename === 'LogImport' ? importLog : importLog.message;
}
