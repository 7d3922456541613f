/** How `sextant play` asks a server that is away for a while. The server here gives the answers of ours. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection, TooOldError } from '../../../src/cli/play/connection.js';
import { HOUR_MS } from '../../../src/shared/time.js';

let server: Server;
let connection: Connection;
let received: string[];
/** The codes of its first answers. */
let refusals: string[];

beforeEach(async () => {
  received = [];
  refusals = [];
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    received.push(Buffer.concat(chunks).toString());
    const code = refusals.shift();
    response.end(JSON.stringify(code ? { errors: [{ message: 'Later', extensions: { code } }] } : { data: 'done' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  connection = new Connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => undefined);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await connection.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('a line', () => {
  const SEND = 'mutation';
  const ask = (since?: number) => connection.ask(SEND, { key: 'a' }, since);

  it('is sent again with the same key until there is an answer', async () => {
    refusals = ['SERVER_BUSY', 'DATABASE_UNAVAILABLE'];
    expect(await ask()).toBe('done');
    expect(received).toEqual(Array(3).fill(JSON.stringify({ query: SEND, variables: { key: 'a' } })));
  });

  it('is not sent again after the machine has slept for an hour: the server may have forgotten the key', async () => {
    refusals = ['DATABASE_UNAVAILABLE'];
    const begun = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => begun + received.length * HOUR_MS);
    await expect(ask()).rejects.toThrow(new TooOldError(false));
    expect(received).toHaveLength(1);
  });

  it('that was typed an hour ago is not sent at all', async () => {
    await expect(ask(Date.now() - HOUR_MS)).rejects.toThrow(new TooOldError(true));
    expect(received).toEqual([]);
  });
});
