/** Files whose size, name or type is not what it seems. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { type Answer, useServer } from '../../support/server.js';
import { openHttpConnection } from './http-connection.js';

const database = useDatabase();
const server = useServer(database);
const MEGABYTE = 1_000_000;

interface Import {
  readonly id: string;
  readonly state: string;
  readonly fileName: string;
  readonly imported: number;
  readonly rejected: number;
  readonly failure: string | null;
}
interface Imported {
  readonly importLog: Partial<Import> & { readonly __typename: string };
}

async function importLog(
  content: Uint8Array<ArrayBuffer> | string,
  name: string,
  site: string,
): Promise<Answer<Imported>> {
  const query = `mutation($file: Upload!, $input: ImportLogInput!) {
    importLog(file: $file, input: $input) { __typename ... on LogImport { id fileName } ... on Refusal { message } } }`;
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { file: null, input: { site } } }));
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new File([content], name));
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'apollo-require-preflight': '1' },
    body: form,
  });
  expect(response.status).toBeLessThan(500);
  return (await response.json()) as Answer<Imported>;
}

async function whenEnded(id: string): Promise<Import> {
  const query = 'query($id: ID!) { logImport(id: $id) { id state fileName imported rejected failure } }';
  return vi.waitFor(
    async () => {
      const { data } = await server.request<{ logImport: Import }>(query, { id });
      expect(data?.logImport.state).toBeOneOf(['FINISHED', 'FAILED']);
      return data?.logImport as Import;
    },
    { timeout: 25_000, interval: 100 },
  );
}

/** Compressed in chunks, so that the test itself needs no memory for it. */
function packed(megabytes: number, fill: string): Uint8Array<ArrayBuffer> {
  const piece = gzipSync(Buffer.alloc(10 * MEGABYTE, fill));
  return new Uint8Array(Buffer.concat(Array<Buffer>(megabytes / 10).fill(piece)));
}

describe('a file of a user who may not send it', () => {
  const query = `mutation($file: Upload!, $input: ImportLogInput!) {
    ...f } fragment f on Mutation { ... { imported: importLog(file: $file, input: $input) { __typename } } }`;
  const start = (token: string, text: string) => {
    const operations = JSON.stringify({ query: text, variables: { file: null, input: { site: 'drip.example' } } });
    const part = (name: string, value: string) =>
      `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    return (
      `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\napollo-require-preflight: 1\r\n` +
      'content-type: multipart/form-data; boundary=B\r\ncontent-length: 1000000000\r\n\r\n' +
      part('operations', operations) +
      part('map', '{"0":["variables.file"]}') +
      '--B\r\ncontent-disposition: form-data; name="0"; filename="a.log"\r\n\r\n'
    );
  };
  it.each([
    ['a member', query, 403, 'FORBIDDEN'],
    [
      'a member, whose operation does something else first',
      query.replace('...f', 'recordHit(hit: {site: "a", page: "/"}) { recorded } ...f'),
      403,
      'FORBIDDEN',
    ],
    ['a member, whose operation is invalid', '{ viewr }', 400, 'GRAPHQL_VALIDATION_FAILED'],
  ])('is rejected before it arrives: %s', async (_name, text, status, code) => {
    const member = await addPerson(database.db, `member-${randomUUID()}`);
    const { token } = await beginTestSession(database.db, server.services.config, member);
    const { socket, ended } = openHttpConnection(server.port);
    socket.write(start(token, text)); // not a byte of the file
    const answer = (await ended).text;
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
  });
});

describe('a decompression bomb', () => {
  it.each([
    ['one endless line', packed(300, 'x')],
    ['only line breaks', packed(100, '\n')],
    ['zero characters', packed(300, '\0')],
  ])('uses bounded memory, and no line of it is imported: %s', async (name, content) => {
    const before = process.memoryUsage().rss;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const { data, errors } = await importLog(content, 'access.log.gz', `${name.replaceAll(/\W+/g, '-')}.example`);
    expect(errors).toBeUndefined();
    if (data?.importLog.id) {
      const ended = await whenEnded(data.importLog.id);
      expect(ended.imported).toBe(0);
    } else expect(data?.importLog.__typename).toBe('LogFileRefused');
    clearInterval(watch);
    expect(peak - before).toBeLessThan(150 * MEGABYTE);
    expect(await server.request('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  });

  it('inside another gzip file is not decompressed: only the outer layer is', async () => {
    const twice = new Uint8Array(gzipSync(packed(50, 'x')));
    const { data, errors } = await importLog(twice, 'access.log.gz.gz', 'layers.example');
    expect(errors).toBeUndefined();
    if (data?.importLog.id) expect((await whenEnded(data.importLog.id)).imported).toBe(0);
    else expect(data?.importLog.__typename).toBe('LogFileRefused');
  });
});

describe('a file’s name', () => {
  const line = '192.0.2.1 - - [05/Jan/2026:11:00:00 +0000] "GET / HTTP/1.1" 200 1\n';
  it.each([
    ['../../../etc/cron.d/x', 'x'],
    ['..\\..\\windows\\x.log', 'x.log'],
    ['x'.repeat(1000), 'x'.repeat(255)],
  ])('is for display only, and never a path: %j', async (name, shown) => {
    const site = `name-${Buffer.from(name).toString('hex').slice(0, 20)}.example`;
    const { data } = await importLog(`${line}# ${name.length}\n`, name, site);
    expect(data?.importLog.fileName).toBe(shown);
    await whenEnded(data?.importLog.id ?? '');
  });
});

describe('a file of another type', () => {
  it.each([
    ['a page with a script', '<!doctype html><script>alert(1)</script>\n'],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])],
    ['an archive', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0, 0, 0, 0])],
    ['a truncated gzip file', new Uint8Array(gzipSync(Buffer.alloc(10_000, 'x')).subarray(0, 20))],
    ['a damaged gzip file', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255])],
    ['an empty file', ''],
  ])('is rejected or yields no request: %s', async (name, content) => {
    const { data, errors } = await importLog(content, 'access.log', `${name.replaceAll(/\W+/g, '-')}.example`);
    if (errors) return expect(errors[0]?.extensions.code).toBeOneOf(['BAD_USER_INPUT', 'BAD_REQUEST']);
    if (data?.importLog.__typename === 'LogFileRefused') return;
    const { imported, failure, rejected } = await whenEnded(data?.importLog.id ?? '');
    expect({ imported, told: failure !== null || rejected > 0 }).toEqual({ imported: 0, told: true });
  });
});
