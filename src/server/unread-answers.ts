/**
 * Answers over HTTP count with what clients leave unread (`backlog.ts`). Whoever asks for large ones, on many connections or one behind the
 * other on one, and reads none of them, is bounded as on a socket: the connection that has stood still the longest is ended.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { accountOf } from './account.js';
import { type Backlog, type Line, Outlet } from './backlog.js';

/** Of smaller ones a connection holds few: Node.js reads no more requests from it while so much waits to be sent. */
const LARGE_BYTES = 16_384;

/** In this scope, whose viewers are known. Call it after whatever changes the payload. */
export function boundUnreadAnswers(app: FastifyInstance, backlog: Backlog): void {
  app.addHook('onSend', (request, { raw: answer }, payload, done) => {
    done(null, payload); // it is written at once: what the operating system has not taken by then is unread
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || payload.length < LARGE_BYTES || answer.writableLength === 0 || request.raw.socket.destroyed) return;
    const account = accountOf(request.viewer, request.ip);
    const outlet = new Outlet(lineOf(request.raw, answer), backlog, account, () => request.raw.socket.destroy());
    answer.once('close', () => outlet.close());
    outlet.noteWritten();
  });
}

/** An answer that stands behind others is not told when its connection closes: it is looked at, every second. */
const lineOf = ({ socket }: IncomingMessage, answer: ServerResponse): Line => ({
  get writableLength() {
    return socket.destroyed ? 0 : answer.writableLength;
  },
  writableNeedDrain: false, // nobody waits for it to drain
  once: answer.once.bind(answer) as Line['once'],
});
