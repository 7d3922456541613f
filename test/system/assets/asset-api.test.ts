/** Pictures through the API and over HTTP. */
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom } from '../../../harness/random.js';
import type { AssetUses } from '../../../src/models/domain.js';
import { assetChunks, assetFiles } from '../../../src/models/system/assets/asset.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { MINUTE_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { formOf, UPLOAD, upload } from './asset-client.js';
import { makePicture, noise } from './picture-support.js';

const database = useDatabase();
const server = useServer(database);
const published = new Set<string>();
let member: string;
let editor: string;
let banned: string;
let jpeg: Buffer;

beforeAll(async () => {
  const signIn = async (name: string, roles: Parameters<typeof addPerson>[2]) =>
    (await beginTestSession(database.db, server.services.config, await addPerson(database.db, name, roles))).token;
  [member, editor, banned] = [
    await signIn('ann', ['MEMBER']),
    await signIn('eve', ['EDITOR']),
    await signIn('bob', []),
  ];
  jpeg = await makePicture('image/jpeg', { width: 900, height: 600 });
  // A domain that shows pictures to everybody.
  const uses: AssetUses = {
    findUsed: async (_db, ids) => ids.filter((id) => published.has(id)),
    findPublic: async (_db, ids) => ids.filter((id) => published.has(id)),
  };
  (server.services.assets.uses.running as AssetUses[]).push(uses);
});

async function uploaded(bytes = jpeg, variables = {}) {
  const answer = await upload(server, member, bytes, variables);
  const asset = answer.data?.uploadPicture as Record<'id' | 'url' | 'small' | 'contentType', string> & {
    bytes: number;
    width: number;
  };
  return { ...asset, stored: idOfType('Asset', asset.id) ?? '' };
}
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('uploadPicture', () => {
  it('stores a picture and returns its address, for a member', async () => {
    const { data, extensions } = await upload(server, member, jpeg);
    expect(extensions?.writtenAt).toMatch(/^[0-9a-f]{16}$/);
    expect(data?.uploadPicture).toEqual({
      __typename: 'Asset',
      id: expect.any(String),
      url: expect.stringMatching(/^\/assets\/[0-9a-f-]{36}\?until=\d+&signature=[\w-]{43}$/),
      small: expect.stringMatching(/^\/assets\/[0-9a-f-]{36}\/320\?until=\d+&signature=[\w-]{43}$/),
      contentType: 'image/jpeg',
      bytes: expect.any(Number),
      width: 900,
      height: 600,
    });
  });

  it('names what the bytes are if they are no picture', async () => {
    const { data } = await upload(server, member, Buffer.from('%PDF-1.7\n'));
    expect(data?.uploadPicture).toMatchObject({ __typename: 'NotAPicture', found: 'application/pdf' });
  });

  it('is not for users without a role, nor for visitors', async () => {
    const before = await assetFiles(database.db).countDocuments({});
    expect((await upload(server, banned, jpeg)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await upload(server, null, jpeg)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(await assetFiles(database.db).countDocuments({})).toBe(before);
  });

  it('takes only the four widths, and answers a width that the picture does not have with its whole address', async () => {
    const { id } = await uploaded(await makePicture('image/png', { width: 400 }));
    const ask = (width: number) =>
      server.request(`query ($id: ID!) { node(id: $id) { ... on Asset { url(width: ${width}) } } }`, { id });
    expect((await ask(300)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'width' });
    expect((await ask(320)).data).toMatchObject({ node: { url: expect.stringContaining('/320?') } });
    expect((await ask(640)).data).toMatchObject({ node: { url: expect.not.stringContaining('/640') } });
  });

  it('leaves nothing of 100 requests whose connection breaks at random points', async () => {
    const bytes = await noise({ width: 300, height: 300 }).png().toBuffer();
    const before = [
      await assetFiles(database.db).countDocuments({}),
      await assetChunks(database.db).countDocuments({}),
    ];
    const request = new Request(`${server.url}/graphql`, { method: 'POST', body: formOf(UPLOAD, {}, bytes) });
    const body = Buffer.from(await request.arrayBuffer());
    const head = [
      'POST /graphql HTTP/1.1',
      'host: localhost',
      `content-type: ${request.headers.get('content-type')}`,
      `content-length: ${body.length}`,
      'apollo-require-preflight: 1',
      `authorization: Bearer ${member}`,
    ];
    const breakOff = (length: number) =>
      new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(`${head.join('\r\n')}\r\n\r\n`);
          socket.write(body.subarray(0, length), () => socket.destroy());
        });
        socket.on('close', () => resolve());
        socket.on('error', () => undefined);
      });
    const random = makeRandom(chooseSeed('broken uploads'));
    for (let round = 0; round < 20; round += 1)
      await Promise.all([1, 2, 3, 4, 5].map(() => breakOff(random.below(body.length - 1))));
    await upload(server, member, Buffer.from('no picture')); // by then the server has read all of the above
    expect([
      await assetFiles(database.db).countDocuments({}),
      await assetChunks(database.db).countDocuments({}),
    ]).toEqual(before);
  });
});

describe('node(id:) of an asset', () => {
  it('is for who uploaded it, for editors, and for everybody once it is public', async () => {
    const { id, stored } = await uploaded();
    const query = 'query ($id: ID!) { node(id: $id) { __typename id } }';
    const seenBy = async (token: string | null) => (await server.request(query, { id }, token)).data?.node;
    expect(await seenBy(member)).toMatchObject({ id });
    expect(await seenBy(editor)).toMatchObject({ id });
    expect(await seenBy(banned)).toBeNull();
    expect(await seenBy(null)).toBeNull();
    published.add(stored);
    expect(await seenBy(null)).toMatchObject({ id });
  });
});

describe('the address of a picture', () => {
  it('serves its bytes with type, length and ETag, and nothing that a browser could run', async () => {
    const { url, bytes } = await uploaded();
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes),
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'accept-ranges': 'bytes',
      'cache-control': expect.stringMatching(/^private, max-age=(3[5-9]\d\d|4\d\d\d), immutable$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect((await bytesOf(response)).length).toBe(bytes);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const { url, bytes } = await uploaded();
    const response = await get(url, {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(bytes));
    expect(await response.text()).toBe('');
  });

  it('needs its signature, until everybody may see the picture', async () => {
    const { url, stored } = await uploaded();
    const [path = '', query = ''] = url.split('?');
    const forged = query.replace(/signature=.{3}/, 'signature=AAA');
    const extended = query.replace(/until=\d/, 'until=9');
    const expired = server.services.assets.signer.signedPath(stored, null, new Date(Date.now() - 76 * MINUTE_MS));
    const other = (await uploaded()).url.split('?')[1] ?? '';
    for (const address of [
      path,
      `${path}?${forged}`,
      `${path}?${extended}`,
      expired,
      `${path}?${other}`,
      `${path}?until=x&signature=`,
    ])
      expect((await get(address)).status).toBe(404);
    published.add(stored);
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const answer = await server.request('query ($id: ID!) { node(id: $id) { ... on Asset { url } } }', {
      id: Buffer.from(`Asset:${stored}`).toString('base64url'),
    });
    expect(answer.data).toEqual({ node: { url: path } });
  });

  it('is 404 for what does not exist', async () => {
    const { url } = await uploaded();
    for (const path of [
      '/assets/none',
      '/assets/00000000-0000-4000-8000-000000000000',
      url.replace('?', '/321?'),
      url.replace('?', '/0320?'),
    ])
      expect((await get(path)).status).toBe(404);
  });

  it('with a width serves a smaller picture under another ETag', async () => {
    const { url, small, bytes } = await uploaded();
    const [whole, scaled] = [await get(url), await get(small)];
    expect(scaled.status).toBe(200);
    expect(Number(scaled.headers.get('content-length'))).toBeLessThan(bytes);
    expect(scaled.headers.get('etag')).not.toBe(whole.headers.get('etag'));
    expect(await bytesOf(await get(small))).toEqual(await bytesOf(scaled));
  });
});

describe('conditional requests and ranges', () => {
  let url: string;
  let whole: Buffer;
  let etag: string;
  beforeAll(async () => {
    const bytes = await noise({ width: 700, height: 500 }).png({ compressionLevel: 0 }).toBuffer(); // several chunks
    url = (await uploaded(bytes, { keepLocation: true })).url;
    const response = await get(url);
    etag = response.headers.get('etag') ?? '';
    whole = await bytesOf(response);
    expect(whole.equals(bytes)).toBe(true);
  });

  it.each([
    ['its own', (own: string) => own, 304],
    ['its own, marked as weak', (own: string) => `W/${own}`, 304],
    ['its own among others', (own: string) => `"a", ${own}`, 304],
    ['any', () => '*', 304],
    ['another', () => '"a"', 200],
  ])('If-None-Match with %s', async (_which, header, status) => {
    const response = await get(url, { 'if-none-match': header(etag) });
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe(etag);
    expect((await bytesOf(response)).length).toBe(status === 304 ? 0 : whole.length);
  });

  it('If-Match with another ETag is 412, and with its own serves the picture', async () => {
    expect((await get(url, { 'if-match': '"a"' })).status).toBe(412);
    expect((await get(url, { 'if-match': etag })).status).toBe(200);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['bytes=261119-261121', 261_119, 261_122],
    ['bytes=1000-', 1000, null],
    ['bytes=-10', -10, null],
    ['bytes=5-99999999', 5, null],
    ['bytes=-99999999', 0, null],
  ])('%s is that part', async (range, from, to) => {
    const response = await get(url, { range });
    const expected = whole.subarray(from, to ?? whole.length);
    const first = from < 0 ? whole.length + from : from;
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${first + expected.length - 1}/${whole.length}`);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    expect((await bytesOf(response)).equals(expected)).toBe(true);
  });

  it.each(['bytes=99999999-', 'bytes=-0'])('%s is 416', async (range) => {
    const response = await get(url, { range });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  });

  it.each(['bytes=5-4', 'bytes=0-1,5-6', 'lines=0-1', 'bytes=a-b', 'bytes=-'])('%s is ignored', async (range) => {
    const response = await get(url, { range });
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).length).toBe(whole.length);
  });

  it('a range is for the bytes that the client knows', async () => {
    expect((await get(url, { range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
    expect((await get(url, { range: 'bytes=0-0', 'if-range': '"a"' })).status).toBe(200);
    expect((await get(url, { range: 'bytes=0-0', 'if-range': `W/${etag}` })).status).toBe(200);
  });
});
