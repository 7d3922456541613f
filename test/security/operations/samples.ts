/** Sample data of every kind, so that a generated operation finds what it requests. */
import { expect, vi } from 'vitest';
import type { TestServer } from '../../support/server.js';

export const SITE = 'example.org';

/** Values for arguments and fields of these names. Writes are durable: others would happen after their response, during the next call. */
export const samples = {
  site: SITE,
  host: SITE,
  page: '/',
  path: '/',
  collection: 'users',
  durability: 'MAJORITY',
} as const;

const LOG = [
  '192.0.2.1 - ann [05/Jan/2026:11:00:00 +0000] "GET / HTTP/1.1" 200 2326',
  'not a line of a log',
  'nor is this',
  '',
].join('\n');

/** A site, a hit, and an import with rejected lines. @returns when the import is finished, and has released its lease */
export async function prepareSamples(server: TestServer): Promise<void> {
  await server.request(`mutation { recordHit(hit: { site: "${SITE}", page: "/" }) { recorded } }`);
  const form = new FormData();
  const query =
    'mutation($file: Upload!, $input: ImportLogInput!) { importLog(file: $file, input: $input) { __typename } }';
  form.set('operations', JSON.stringify({ query, variables: { file: null, input: { site: SITE } } }));
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new File([LOG], 'access.log'));
  await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'apollo-require-preflight': '1' },
    body: form,
  });
  const state = async () => {
    const imports = '{ logImports(site: "example.org") { edges { node { state } } } }';
    const { data } = await server.request<{ logImports: { edges: { node: { state: string } }[] } }>(imports);
    return data?.logImports.edges[0]?.node.state;
  };
  await vi.waitFor(async () => expect(await state()).toBe('FINISHED'), { timeout: 10_000 });
  const held = () =>
    server.services.db.collection('leases').countDocuments({ $expr: { $gt: ['$expires_at', '$$NOW'] } });
  await vi.waitFor(async () => expect(await held()).toBe(0), { timeout: 10_000 });
}
