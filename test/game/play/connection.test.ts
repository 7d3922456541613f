/** How `sextant play` asks and follows a server that is away for a while, or busy. The server here answers like ours. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { Connection } from '../../../src/cli/play/connection.js';
import { type ServerError, TooOldError } from '../../../src/cli/play/server-error.js';
import { HOUR_MS } from '../../../src/shared/time.js';

let server: Server;
let connection: Connection;
let received: string[];
let lost: boolean[];
/** The codes of its first answers. */
let refusals: string[];
/** How its first subscriptions end, each after an event. */
let endings: Ending[];
/** The cursor with which each subscription began. */
let begun: (string | null)[];

type Ending = 'complete' | { readonly type: 'error' | 'next'; readonly code: string; readonly cursor?: string };

/** A subscription that fails ends with an error. One that the server refuses to begin is answered with it, and then ends. */
function failureOf(id: string, { type, code, cursor }: Exclude<Ending, 'complete'>): object {
  const errors = [{ message: `It is ${code}`, extensions: { code, cursor, retryAfterMs: 10 } }];
  return { id, type, payload: type === 'error' ? errors : { errors } };
}

beforeEach(async () => {
  received = [];
  lost = [];
  refusals = [];
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    received.push(Buffer.concat(chunks).toString());
    const code = refusals.shift();
    response.end(JSON.stringify(code ? { errors: [{ message: 'Later', extensions: { code } }] } : { data: 'done' }));
  });
  endings = [];
  begun = [];
  new WebSocketServer({ server, path: '/graphql' }).on('connection', (socket) => {
    const send = (message: object) => socket.send(JSON.stringify(message));
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data));
      if (type === 'connection_init') return send({ type: 'connection_ack' });
      if (type !== 'subscribe') return;
      begun.push(payload.variables.after);
      send({ id, type: 'next', payload: { data: { roomChanged: { cursor: `event ${begun.length}` } } } });
      const ending = endings.shift();
      if (!ending) return;
      if (ending !== 'complete') send(failureOf(id, ending));
      if (ending === 'complete' || ending.type === 'next') send({ id, type: 'complete' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  connection = new Connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, (isLost) =>
    lost.push(isLost),
  );
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

describe('what happens in the room', () => {
  function watch() {
    const events: string[] = [];
    const ends: string[] = [];
    connection.watch(
      'subscription',
      { id: 'tim' },
      ({ cursor }) => events.push(cursor),
      ({ message }: ServerError) => ends.push(message),
    );
    return { events, ends };
  }
  /** Longer than any pause. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1500));

  it.each<[string, Ending]>([
    ['the server is busy', { type: 'error', code: 'SERVER_BUSY' }],
    ['the database is away', { type: 'error', code: 'DATABASE_UNAVAILABLE' }],
    ['the server has failed', { type: 'error', code: 'INTERNAL_SERVER_ERROR' }],
    ['the server was too busy to begin', { type: 'next', code: 'SERVER_BUSY' }],
    ['a server that stops has ended it', 'complete'],
  ])('is followed again after the last event, once, after %s', async (_case, ending) => {
    endings = [ending, ending];
    const { events, ends } = watch();
    await expect.poll(() => events).toEqual(['event 1', 'event 2', 'event 3']);
    await settle();
    expect(begun).toEqual([null, 'event 1', 'event 2']);
    expect(ends).toEqual([]);
  });

  it('is followed from the beginning if the server does not know the cursor', async () => {
    endings = ['complete', { type: 'next', code: 'BAD_CURSOR' }];
    watch();
    await expect.poll(() => begun).toEqual([null, 'event 1', null]);
  });

  it('is followed from where the server says if it came too fast', async () => {
    endings = [{ type: 'error', code: 'SLOW_CONSUMER', cursor: 'the missed one' }];
    watch();
    await expect.poll(() => begun).toEqual([null, 'the missed one']);
  });

  it.each([
    ['error', 'NOT_FOUND'],
    ['next', 'FORBIDDEN'],
  ] as const)('ends with the reason after %s %s', async (type, code) => {
    endings = [{ type, code }];
    const { ends } = watch();
    await settle();
    expect(ends).toEqual([`It is ${code}`]);
    expect(begun).toEqual([null]);
  });

  it('says nothing about the connection while it pauses', async () => {
    endings = ['complete'];
    watch();
    await expect.poll(() => begun).toHaveLength(2);
    expect(lost).toEqual([]);
  });
});
