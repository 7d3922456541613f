/** A socket without its own protocol, for tests that violate it. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface RawSocket {
  readonly socket: WebSocket;
  send(message: object): void;
  /** The next unread message. */
  next(): Promise<Record<string, unknown>>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface RawSocketOptions {
  readonly protocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws Error `Unexpected server response: 403` and the like when the upgrade is refused */
export async function openRawSocket(
  url: string,
  { protocol = 'graphql-transport-ws', headers = {} }: RawSocketOptions = {},
): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocol, { headers });
  const messages: Record<string, unknown>[] = [];
  const waiting: ((message: Record<string, unknown>) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Record<string, unknown>;
    if (isLagNotice(message)) return; // on a busy machine it may arrive at any time
    const take = waiting.shift();
    if (take) take(message);
    else messages.push(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await once(socket, 'open'); // rejects on `error`
  socket.on('error', () => undefined); // reported by `closed`
  return {
    socket,
    send: (message) => socket.send(JSON.stringify(message)),
    next: () =>
      new Promise((resolve) => {
        const message = messages.shift();
        if (message) resolve(message);
        else waiting.push(resolve);
      }),
    closed,
  };
}

const isLagNotice = ({ type, payload }: Record<string, unknown>) => type === 'ping' && 'streamLagMs' in Object(payload);

/** A socket whose connection has been acknowledged. @param token null: as a visitor */
export async function openReadySocket(url: string, token: string | null): Promise<RawSocket> {
  const raw = await openRawSocket(url);
  raw.send({ type: 'connection_init', ...(token && { payload: { authorization: `Bearer ${token}` } }) });
  const { type } = await raw.next();
  if (type !== 'connection_ack') throw new Error(`Expected connection_ack, got ${String(type)}`);
  return raw;
}
