/** Aborts requests whose body arrives too slowly: they would hold a connection, or an upload slot, indefinitely. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isMultipart } from './upload.js';

const CHECK_MS = 5000;
const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

interface Arriving {
  readonly response: ServerResponse;
  /** Bytes read on its connection, at the last check; null before the first. */
  bytes: number | null;
  readonly bytesPerSecondMin: number;
}

/** Bytes per second, averaged between checks. Time in which the server itself pauses reading does not count. */
export interface Pace {
  readonly operations: number;
  /** For requests with files, which hold a slot that others wait for. */
  readonly files: number;
}

export function endSlowRequests(app: FastifyInstance, pace: Pace, checkMs = CHECK_MS): void {
  const arriving = new Map<IncomingMessage, Arriving>();

  app.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (length !== undefined || encoding !== undefined) {
      const bytesPerSecondMin = isMultipart(request) ? pace.files : pace.operations;
      arriving.set(request.raw, { response: reply.raw, bytes: null, bytesPerSecondMin });
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.raw.complete) arriving.delete(request.raw);
    done();
  });

  const timer = setInterval(() => {
    for (const [request, state] of arriving) {
      const { socket } = request;
      if (request.complete || socket.destroyed) {
        arriving.delete(request);
        continue;
      }
      const came = state.bytes === null ? Number.POSITIVE_INFINITY : socket.bytesRead - state.bytes;
      state.bytes = socket.bytesRead;
      if (!request.readableFlowing || came >= (state.bytesPerSecondMin * checkMs) / 1000) continue;
      if (!state.response.headersSent) socket.write(TIMEOUT);
      socket.destroySoon();
    }
  }, checkMs);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
