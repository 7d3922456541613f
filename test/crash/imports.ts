/** What a client does with imports. */
import { expect } from 'vitest';
import type { Product } from '../support/product.js';
import type { AccessLog } from './access-log.js';

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

/** @returns the import's id */
export async function upload(product: Product, log: AccessLog): Promise<string> {
  const answer = await product.upload<{ importLog: { id: string } }>(
    IMPORT,
    { input: { site: 'import.example' } },
    log.file,
  );
  expect(answer).toMatchObject({ data: { importLog: { id: expect.any(String) } } });
  return answer.data?.importLog.id ?? '';
}

/** Waits until an import has reached a state. @returns the import as it then is */
export async function reach(
  product: Product,
  id: string,
  state: string,
): Promise<Progress['logImportChanged']['import']> {
  for await (const { data, errors } of product.subscribe<Progress>(FOLLOW, { id })) {
    expect(errors).toBeUndefined();
    if (data?.logImportChanged.import.state === state) return data.logImportChanged.import;
  }
  throw new Error(`The subscription ended before the import was ${state}`);
}
