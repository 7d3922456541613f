/** File uploads. With XMLHttpRequest, since `fetch` does not report upload progress. */
import { stringifyDocument } from 'urql';
import { graphql } from '../../../generated/gql.js';
import type { ImportLogInput, ImportLogMutation } from '../../../generated/graphql.js';
import { ENDPOINT, keepSession } from '../../api/session.js';
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
    const request = new XMLHttpRequest();
    const cancel = () => {
      request.abort();
      dismissUpload(key);
    };
    const { name: fileName, size: bytes } = file;
    const waiting = { key, site: input.site, fileName, bytes, sent: 0, failure: null, taken: null, cancel };
    uploadStore.set([...uploadStore.get(), waiting]);
    queue = queue.then(async () => {
      if (!uploadStore.get().some((candidate) => candidate.key === key)) return; // canceled while waiting
      const outcome = await send(request, file, input, (sent) => change(key, { sent }));
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

/** Sends a multipart request, with the parts in the specified order. @returns the import, or why it failed */
async function send(
  request: XMLHttpRequest,
  file: File,
  input: ImportLogInput,
  onSent: (bytes: number) => void,
): Promise<LogImport | string> {
  await keepSession();
  const body = new FormData();
  body.append(
    'operations',
    JSON.stringify({ query: stringifyDocument(ImportLogDocument), variables: { file: null, input } }),
  );
  body.append('map', JSON.stringify({ 0: ['variables.file'] }));
  body.append('0', file);
  return new Promise((resolve) => {
    request.upload.addEventListener('progress', (event) => onSent(Math.min(event.loaded, file.size)));
    request.addEventListener('load', () => resolve(readOutcome(request)));
    request.addEventListener('abort', () => resolve('Canceled'));
    request.addEventListener('error', () =>
      resolve('The connection was lost. Drop the file again: each line counts once.'),
    );
    request.open('POST', ENDPOINT);
    request.setRequestHeader('apollo-require-preflight', 'true'); // a form on another site cannot send this header
    request.send(body);
  });
}

interface Answer {
  readonly data?: ImportLogMutation | null;
  readonly errors?: readonly { readonly message: string }[];
}

function readOutcome({ responseText, status }: XMLHttpRequest): LogImport | string {
  try {
    const { data, errors } = JSON.parse(responseText) as Answer;
    if (data?.importLog.__typename === 'LogImport') return data.importLog;
    return data?.importLog.message ?? errors?.[0]?.message ?? `The server responded with status ${status}`;
  } catch {
    return status === 413
      ? 'The file is larger than the server accepts.'
      : `The server responded with status ${status}`;
  }
}
