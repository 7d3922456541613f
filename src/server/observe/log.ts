/** Structured logs, on standard error: client, path, status and duration of requests. No bodies, no queries, no tokens. */
import { type Logger, pino, stdSerializers } from 'pino';
import type { Config } from '../../config/config.js';

const STANDARD_ERROR = 2;

export function makeLog({ LOG_LEVEL }: Config): Logger {
  return pino(
    {
      level: LOG_LEVEL,
      serializers: {
        req: (request: { method: string; url: string; ip: string }) => ({
          method: request.method,
          path: request.url.split('?', 1)[0], // the query string may contain variables
          address: request.ip,
        }),
        res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
        err: stdSerializers.err,
      },
    },
    pino.destination({ fd: STANDARD_ERROR, sync: true }),
  );
}
