/** A client's operations on imports. */
import { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Answer, ProductClient } from '../../../harness/product.js';
import { takeUpload } from '../../../src/models/analytics/log-import/log-upload.js';
import type { AccessLog } from './access-log.js';

const SITE = 'import.example';
const IMPORT = `mutation ($file: Upload!, $input: ImportLogInput!) {
  importLog(file: $file, input: $input) { ... on LogImport { id } ... on Refusal { message } }
}`;
const FOLLOW =
  'subscription ($id: ID!) { logImportChanged(id: $id) { import { state lines imported rejected failure } } }';

interface Progress {
  readonly logImportChanged: {
    readonly import: {
      readonly state: string;
      readonly lines: number;
      readonly imported: number;
      readonly rejected: number;
    };
  };
}

/** Retries when the server says so: a file that is already known is the same import. @returns the import's id */
export async function upload(product: ProductClient, { file }: Pick<AccessLog, 'file'>, site = SITE): Promise<string> {
  const send = () => product.upload<{ importLog: { id: string } }>(IMPORT, { input: { site } }, file);
  let answer = await send();
  for (let delay = retryAfterOf(answer); delay !== null; delay = retryAfterOf(answer)) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    answer = await send();
  }
  expect(answer).toMatchObject({ data: { importLog: { id: expect.any(String) } } });
  return answer.data?.importLog.id ?? '';
}

/** @returns milliseconds; null: the server did not ask for a retry */
const retryAfterOf = ({ errors }: Answer<unknown>): number | null => {
  const milliseconds = errors?.[0]?.extensions?.retryAfterMs;
  return typeof milliseconds === 'number' ? milliseconds : null;
};

/** The state left by a process that accepted a file and died before it read any of it. */
export async function leaveUpload(db: Db, { file }: AccessLog): Promise<void> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const options = { durability: 'MAJORITY', count_hits: true, leave_out_robots: false } as const;
  const left = { name: file.name, bytes: () => Readable.from([bytes]) };
  const taken = await takeUpload(db, left, { site: SITE, options }, new Date());
  expect(['WAITING', 'RUNNING']).toContain('state' in taken ? taken.state : taken); // a server may already have started on the file
}

/** Waits until an import has reached a state. @returns the import in that state */
export async function reach(
  product: ProductClient,
  id: string,
  state: string,
): Promise<Progress['logImportChanged']['import']> {
  for await (const { data, errors } of product.subscribe<Progress>(FOLLOW, { id })) {
    expect(errors).toBeUndefined();
    if (data?.logImportChanged.import.state === state) return data.logImportChanged.import;
  }
  throw new Error(`The subscription ended before the import was ${state}`);
}
