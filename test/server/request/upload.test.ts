/** Parsing of multipart requests, with an operation that reports its input. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccessTokens } from '../../../src/server/identity/access-token.js';
import { Identities } from '../../../src/server/identity/identities.js';
import { identifyViewers } from '../../../src/server/identity/request-viewer.js';
import { secretKeys } from '../../../src/server/identity/token-keys.js';
import type { Viewer } from '../../../src/server/identity/viewer.js';
import { sendFailure } from '../../../src/server/request/reply.js';
import { registerUploads, type Upload } from '../../../src/server/request/upload.js';
import { SextantError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { leaveWhileIdentified } from '../../support/departure.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { type Answer, testConfig } from '../../support/server.js';

const MEGABYTE = 1_000_000;
const database = useDatabase();
const config = testConfig();
const received = vi.fn<(body: { variables: Record<string, Upload> }) => Promise<unknown>>();
/** The server's check of the operation before it accepts files. */
const allowed = vi.fn<(operation: unknown, viewer: Viewer) => void>();
const app: FastifyInstance = Fastify();
let url: string;
let port: number;
let token: string;
let tokens: readonly string[];
let identities: Identities;

const usualFolder = tmpdir();
beforeAll(async () => {
  process.env.TMPDIR = await mkdtemp(join(usualFolder, 'sextant-uploads-'));
  app.setErrorHandler(sendFailure);
  await app.register(cookie);
  const { db } = database;
  const accessTokens = new AccessTokens(secretKeys(config.TOKEN_SECRET ?? ''), config.ACCESS_TOKEN_SECONDS);
  const now = () => new Date();
  identities = await Identities.open({ db, now, accessTokens, issuer: null, onTrouble: () => undefined });
  identifyViewers(app, identities);
  registerUploads(app, { MAX_BODY_BYTES: 10_000, MAX_UPLOAD_BYTES: 3 * MEGABYTE }, allowed);
  app.post('/', async (request) => received(request.body as never));
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(url).port);
  const signIn = async (name: string) => (await beginTestSession(db, config, await addPerson(db, name))).token;
  tokens = await Promise.all(['ann', 'bob', 'cyd', 'dan', 'eve'].map(signIn));
  token = tokens[0] ?? '';
});
afterAll(async () => {
  await app.close();
  await identities.close();
  await rm(tmpdir(), { recursive: true });
  process.env.TMPDIR = usualFolder;
});

/** Temporary files that this process has open, with or without a name (on Linux). */
async function openSpools(): Promise<number> {
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(tmpdir())).length;
}

/** The names of the temporary files. */
const spool = () => readdir(tmpdir());
beforeEach(() => {
  allowed.mockReset();
  received.mockReset();
  received.mockImplementation(async ({ variables }) => ({
    files: await Promise.all(
      Object.entries(variables).map(async ([name, file]) => [
        name,
        file.fileName,
        createHash('sha256')
          .update(await text(file.open()))
          .digest('hex'),
      ]),
    ),
  }));
});

const operations = (...names: string[]) =>
  JSON.stringify({ query: '{ x }', variables: Object.fromEntries(names.map((name) => [name, null])) });
const map = (paths: Readonly<Record<string, unknown>>) => JSON.stringify(paths);

interface Part {
  readonly name: string;
  readonly value: string | Blob;
  readonly fileName?: string;
}
const field = (name: string, value: string): Part => ({ name, value });
const file = (name: string, content: string, fileName = 'a.log'): Part => ({
  name,
  value: new Blob([content]),
  fileName,
});

async function send(parts: readonly Part[], headers: Readonly<Record<string, string>> = {}) {
  const form = new FormData();
  for (const { name, value, fileName } of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName);
  }
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}`, 'apollo-require-preflight': '1', ...headers },
  });
  return { status: response.status, answer: (await response.json()) as Answer & { files?: unknown } };
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

describe('a multipart request', () => {
  it('passes complete files to the operation, and removes them afterwards', async () => {
    const big = 'x'.repeat(2 * MEGABYTE);
    const { status, answer } = await send([
      field('operations', operations('a', 'b')),
      field('map', map({ 0: ['variables.a'], 1: ['variables.b'] })),
      file('0', big, '../../etc/passwd'),
      file('1', 'small', 'C:\\logs\\b.log'),
    ]);
    expect({ status, answer }).toEqual({
      status: 200,
      answer: {
        files: [
          ['a', 'passwd', sha256(big)],
          ['b', 'b.log', sha256('small')],
        ],
      },
    });
    await vi.waitFor(async () => expect(await spool()).toEqual([]));
    if (process.platform === 'linux') await vi.waitFor(async () => expect(await openSpools()).toBe(0));
  });

  it('removes its files even when the operation reads only half of one, or none', async () => {
    received.mockImplementation(async ({ variables }) => {
      for await (const _chunk of variables.a?.open() ?? []) break;
      return {};
    });
    const parts = [
      field('operations', operations('a', 'b')),
      field('map', map({ 0: ['variables.a'], 1: ['variables.b'] })),
      file('0', 'x'.repeat(MEGABYTE)),
      file('1', 'never read'),
    ];
    expect((await send(parts)).status).toBe(200);
    await vi.waitFor(async () => expect(await spool()).toEqual([]));
  });

  it('allows a file to be used only once', async () => {
    received.mockImplementation(async ({ variables }) => [variables.a?.open(), variables.a?.open()]);
    const parts = [field('operations', operations('a')), field('map', map({ 0: ['variables.a'] })), file('0', 'x')];
    expect(await send(parts)).toMatchObject({
      status: 400,
      answer: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
    });
  });
});

const good = [field('operations', operations('a')), field('map', map({ 0: ['variables.a'] }))];

describe('a rejected multipart request', () => {
  it.each<[string, number, string, readonly Part[]]>([
    ['no operation', 400, 'BAD_REQUEST', [file('0', 'x')]],
    ['a map before the operation', 400, 'BAD_REQUEST', [...good].reverse()],
    ['no map', 400, 'BAD_REQUEST', [field('operations', operations('a'))]],
    ['an operation that is not JSON', 400, 'BAD_REQUEST', [field('operations', '{')]],
    [
      'a batch',
      400,
      'BAD_REQUEST',
      [field('operations', `[${operations('a')}]`), field('map', map({ 0: ['0.variables.a'] })), file('0', 'x')],
    ],
    ['a map that is a list', 400, 'BAD_REQUEST', [field('operations', operations('a')), field('map', '[]')]],
    [
      'a map to a missing variable',
      400,
      'BAD_REQUEST',
      [field('operations', operations('a')), field('map', map({ 0: ['variables.b'] })), file('0', 'x')],
    ],
    [
      'a map to __proto__',
      400,
      'BAD_REQUEST',
      [field('operations', operations('a')), field('map', map({ 0: ['__proto__.a'] })), file('0', 'x')],
    ],
    [
      'a map to constructor',
      400,
      'BAD_REQUEST',
      [field('operations', operations('a')), field('map', map({ 0: ['constructor.prototype.a'] })), file('0', 'x')],
    ],
    [
      'a file for two variables',
      400,
      'BAD_REQUEST',
      [
        field('operations', operations('a', 'b')),
        field('map', map({ 0: ['variables.a', 'variables.b'] })),
        file('0', 'x'),
      ],
    ],
    [
      'a map with 11 files',
      413,
      'LIMIT_EXCEEDED',
      [
        field('operations', operations('a')),
        field('map', map(Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i, [`variables.a${i}`]])))),
        ...Array.from({ length: 11 }, (_, i) => file(String(i), 'x')),
      ],
    ],
    [
      'a map with a file for 100,000 variables, which exceeds the size of a request without files',
      413,
      'LIMIT_EXCEEDED',
      [
        field('operations', operations('a')),
        field('map', map({ 0: Array.from({ length: 100_000 }, (_, index) => `variables.a.${index}`) })),
        file('0', 'x'),
      ],
    ],
    ['a missing file', 400, 'BAD_REQUEST', good],
    ['a part that the map does not name', 400, 'BAD_REQUEST', [...good, file('0', 'x'), file('1', 'orphan')]],
    ['a repeated part', 400, 'BAD_REQUEST', [...good, file('0', 'x'), file('0', 'y')]],
    [
      'an operation of 20 kB',
      413,
      'LIMIT_EXCEEDED',
      [field('operations', JSON.stringify({ query: 'x'.repeat(20_000) }))],
    ],
    ['a file that is too large', 413, 'LIMIT_EXCEEDED', [...good, file('0', 'x'.repeat(4 * MEGABYTE))]],
  ])('gets the reason: %s', async (_name, status, code, parts) => {
    expect(await send(parts)).toMatchObject({ status, answer: { errors: [{ extensions: { code } }] } });
    expect(received).not.toHaveBeenCalled();
    await vi.waitFor(async () => expect(await spool()).toEqual([]));
  });

  it.each([
    ['a page of another origin could have sent it', 400, 'BAD_REQUEST', { 'apollo-require-preflight': '' }],
    ['the caller is not signed in', 401, 'UNAUTHENTICATED', { authorization: '' }],
  ])('is rejected before anything is stored: %s', async (_name, status, code, headers) => {
    expect(await send([...good, file('0', 'x')], headers)).toMatchObject({
      status,
      answer: { errors: [{ extensions: { code } }] },
    });
    expect(received).not.toHaveBeenCalled();
  });

  it('gets 403 before its files are read if its sender may not run the operation', async () => {
    allowed.mockImplementation(() => {
      throw new SextantError('FORBIDDEN', 'This requires the role EDITOR');
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(start(100 * MEGABYTE) + truncated); // the rest of the file never arrives
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).toContain('This requires the role EDITOR');
    expect(received).not.toHaveBeenCalled();
    await vi.waitFor(async () => expect(await spool()).toEqual([]));
    if (process.platform === 'linux') expect(await openSpools()).toBe(0);
  });

  it.each([
    ['a third one of the same user', 429, 1, 2],
    ['a ninth one in total', 503, 4, 2],
  ])('arrives while others are in progress: %s', async (_name, status, people, each) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    received.mockImplementation(() => held);
    const parts = [...good, file('0', 'x')];
    const senders = tokens.slice(0, people).flatMap((own) => Array<string>(each).fill(own));
    const under = senders.map((own) => send(parts, { authorization: `Bearer ${own}` }));
    await vi.waitFor(() => expect(received).toHaveBeenCalledTimes(senders.length));
    const next = { authorization: `Bearer ${people === 1 ? token : tokens.at(-1)}` };
    expect(await send(parts, next)).toMatchObject({
      status,
      answer: { errors: [{ extensions: { code: 'SERVER_BUSY', retryAfterMs: 5000 } }] },
    });
    received.mockResolvedValue({});
    if (people === 1)
      expect(await send(parts, { authorization: `Bearer ${tokens[1]}` })).toMatchObject({ status: 200 });
    release();
    await Promise.allSettled(under); // their responses are empty
    await vi.waitFor(async () => expect((await send(parts)).status).toBe(200));
  });

  it('holds no slot before its operation has arrived, however long that takes', async () => {
    const waiting = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.write(start(truncated.length) + truncated.slice(0, 40));
      return socket;
    });
    expect((await send([...good, file('0', 'x')])).status).toBe(200);
    for (const socket of waiting) socket.destroy();
  });

  const start = (length: number) =>
    `POST / HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\napollo-require-preflight: 1\r\n` +
    `content-type: multipart/form-data; boundary=B\r\ncontent-length: ${length}\r\n\r\n`;
  const truncated =
    `--B\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${operations('a')}\r\n` +
    `--B\r\ncontent-disposition: form-data; name="map"\r\n\r\n${map({ 0: ['variables.a'] })}\r\n` +
    '--B\r\ncontent-disposition: form-data; name="0"; filename="a.log"\r\n\r\nhalf a fi';

  it('ends in the middle of a file: 400, and the temporary file is deleted', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(start(truncated.length) + truncated);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('BAD_REQUEST');
    expect(received).not.toHaveBeenCalled();
    await vi.waitFor(async () => expect(await spool()).toEqual([]));
  });

  it.runIf(process.platform === 'linux')(
    'is aborted by its client: the temporary file is deleted, and the server survives',
    async () => {
      const socket = connect(port, '127.0.0.1');
      socket.write(start(truncated.length + 1000) + truncated);
      await vi.waitFor(async () => expect(await openSpools()).toBe(1));
      expect(await spool()).toEqual([]); // a process killed now would leave nothing behind
      socket.destroy();
      await vi.waitFor(async () => expect(await openSpools()).toBe(0));
      await vi.waitFor(async () => expect(await spool()).toEqual([]));
      expect(received).not.toHaveBeenCalled();
      expect((await send([...good, file('0', 'x')])).status).toBe(200);
    },
  );

  it('takes no slot when its client disconnects before it is identified', async () => {
    await leaveWhileIdentified(port, start(truncated.length + 1000) + truncated, 4);
    expect(received).not.toHaveBeenCalled();
    expect((await send([...good, file('0', 'x')])).status).toBe(200);
  });
});
