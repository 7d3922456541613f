/**
 * HTTP responses count as unread data, too (`backlog.ts`). A client that requests large ones, on many connections or pipelined on one,
 * and reads none of them, is bounded as on a socket: the connection that has been stalled the longest is closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { accountOf } from '../identity/allowance-account.js';
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

/** A pipelined response gets no event when its connection closes, so the sweep checks it every second. */
const lineOf = ({ socket }: IncomingMessage, answer: ServerResponse): Line => ({
  get writableLength() {
    return socket.destroyed ? 0 : answer.writableLength;
  },
  writableNeedDrain: false, // nothing waits for it to drain
  once: answer.once.bind(answer) as Line['once'],
});
