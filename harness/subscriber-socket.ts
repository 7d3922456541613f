/**
 * A cheap WebSocket client: a raw socket and a frame parser, so that thousands fit in one process without affecting the
 * measurement. It speaks graphql-transport-ws.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface Subscription {
  readonly query: string;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface SubscriberOptions {
  readonly port: number;
  /** The payload of `connection_init`. */
  readonly init: object;
  /** One for all operations of the socket, or a function of the operation's number. */
  readonly subscription: Subscription | ((number: number) => Subscription);
  /** How many times the socket subscribes. Default: once. */
  readonly operations?: number;
  /** Called with each `next` message: its buffer and its bounds. */
  readonly onNext: (buffer: Buffer, start: number, end: number) => void;
  readonly onEnd: (reason: string) => void;
}

const TEXT = 1;
const PING = 9;
const PONG = 10;
const ZERO_MASK = [0, 0, 0, 0]; // clients must mask; zeros leave the text unchanged

/** Resolves when the subscription has been sent. */
export function subscribe({
  port,
  init,
  subscription,
  operations = 1,
  onNext,
  onEnd,
}: SubscriberOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const fail = (reason: string) => {
      reject(new Error(reason));
      onEnd(reason);
    };
    let rest: Buffer | null = null;
    let upgraded = false;
    socket.on('error', (error) => fail(error.message)).on('close', () => fail('The server closed the socket'));
    socket.on('connect', () => socket.write(UPGRADE));
    socket.on('data', (chunk: Buffer) => {
      const data = rest ? Buffer.concat([rest, chunk]) : chunk;
      let at = 0;
      if (!upgraded) {
        const end = data.indexOf('\r\n\r\n');
        if (end < 0) {
          rest = data;
          return;
        }
        if (!data.toString('latin1', 0, 20).includes(' 101 ')) return fail(data.toString('utf8', 0, end));
        upgraded = true;
        at = end + 4;
        send(socket, JSON.stringify({ type: 'connection_init', payload: init }));
      }
      at = walkFrames(data, at, (opcode, start, end) => {
        if (opcode === PING) return void socket.write(frame(PONG, data.subarray(start, end)));
        if (opcode !== TEXT) return;
        if (isNext(data, start, end)) return onNext(data, start, end);
        const text = data.toString('utf8', start, end);
        const { type } = JSON.parse(text) as { type: string };
        if (type === 'ping') send(socket, '{"type":"pong"}');
        else if (type === 'connection_ack') {
          for (let number = 0; number < operations; number += 1) {
            const payload = typeof subscription === 'function' ? subscription(number) : subscription;
            send(socket, JSON.stringify({ id: randomUUID(), type: 'subscribe', payload }));
          }
          resolve(socket);
        } else if (type !== 'pong') fail(text);
      });
      rest = at < data.length ? data.subarray(at) : null;
    });
  });
}

/** @returns the start of the first incomplete frame */
function walkFrames(data: Buffer, from: number, onFrame: (opcode: number, start: number, end: number) => void): number {
  let at = from;
  while (data.length - at >= 2) {
    const short = (data[at + 1] as number) & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (data.length - at < head) break;
    const length =
      short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
    const start = at + head;
    if (data.length < start + length) break;
    onFrame((data[at] as number) & 15, start, start + length);
    at = start + length;
  }
  return at;
}

const NEXT = Buffer.from('"type":"next"');

/** Servers put the type before or after the id, but always before the payload. */
function isNext(data: Buffer, start: number, end: number): boolean {
  const found = data.indexOf(NEXT, start);
  return found >= 0 && found < end;
}

const send = (socket: Socket, text: string) => socket.write(frame(TEXT, Buffer.from(text)));

function frame(opcode: number, body: Buffer): Buffer {
  const length = body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length, ...ZERO_MASK]), body]);
}

const UPGRADE = [
  'GET /graphql HTTP/1.1',
  'Host: 127.0.0.1',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  '\r\n',
].join('\r\n');
