/**
 * HTTP responses count as unread data, too (`backlog.ts`). A client that requests large ones, on many connections or pipelined on one,
 * and reads none of them, is bounded as on a socket: the connection that has been stalled the longest is closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountOf } from '../identity/allowance-account.js';
import { visitor } from '../identity/viewer.js';
import { type Backlog, type Line, Outlet } from './backlog.js';

/** A connection holds few smaller responses: Node.js reads no more requests from it while that much is unsent. */
const LARGE_BYTES = 16_384;

/** For this scope, whose viewers are known. Call it after hooks that change the payload. */
export function boundUnreadAnswers(app: FastifyInstance, backlog: Backlog): void {
  app.addHook('onSend', (request, { raw: answer }, payload, done) => {
    done(null, payload); // written synchronously: what the operating system has not accepted afterwards is unread
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || payload.length < LARGE_BYTES || answer.writableLength === 0 || request.raw.socket.destroyed) return;
    const account = accountOf(request.viewer, request.ip);
    const outlet = new Outlet(lineOf(request.raw, answer), backlog, account, () => request.raw.socket.destroy());
    answer.once('close', () => outlet.close());
    outlet.noteWritten();
  });
}

/**
 * The body of a response that is read in parts, for scopes without viewers. Of each response one part is in Node.js's buffer and one is
 * ready; the former counts as unread data.
 */
export function streamParts(
  request: FastifyRequest,
  { raw: answer }: FastifyReply,
  parts: AsyncIterable<Buffer>,
  backlog: Backlog,
): Readable {
  const account = accountOf(visitor, request.ip);
  const outlet = new Outlet(lineOf(request.raw, answer), backlog, account, () => request.raw.socket.destroy());
  answer.once('close', () => outlet.close());
  return Readable.from(noting(parts, outlet), { highWaterMark: 1 });
}

/** A part is asked for when the one before has been written. */
async function* noting(parts: AsyncIterable<Buffer>, outlet: Outlet): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    yield part;
    outlet.noteWritten();
  }
}

/** A pipelined response gets no event when its connection closes, so the sweep checks it every second. */
const lineOf = ({ socket }: IncomingMessage, answer: ServerResponse): Line => ({
  get writableLength() {
    return socket.destroyed ? 0 : answer.writableLength;
  },
  writableNeedDrain: false, // nothing waits for it to drain
  once: answer.once.bind(answer) as Line['once'],
});
