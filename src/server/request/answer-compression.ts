/**
 * Compresses responses for clients that accept it: lists and charts shrink to a tenth. This runs on zlib's threads, never on the
 * event loop, and only for a bounded number of responses at a time; the others are sent as they are. A response with a secret is never
 * compressed: next to text that an attacker chose, its length would reveal the secret (BREACH). The files of `dist/web` are compressed
 * at build time. Not @fastify/compress: it compresses streams, piece by piece, and cannot decline when it is busy.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { encodingFor } from '../../shared/accepted-encoding.js';
import type { Metrics } from '../observe/metrics.js';

/** Smaller responses fit into one packet either way. */
const SMALL_BYTES = 1024;
/** Twice the threads that Node.js has for such work. */
const RUNNING_MAX = 8;
const COMPRESSIBLE = /^(?:application\/(?:(?:graphql-response\+)?json|javascript)|text\/|image\/svg|font\/ttf)/;
/** Proxies must not transform a response with this header either. */
export const UNCOMPRESSED = 'no-store, no-transform';

/** As fast as gzip, and smaller. Higher levels suit static files. */
const BROTLI_LEVEL = 4;
/** A window of 256 kB. The default would take megabytes per response. */
const BROTLI_WINDOW_BITS = 18;
const GZIP_LEVEL = 5;

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
const compress = {
  br: (bytes: Buffer): Promise<Buffer> =>
    compressors.br(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer): Promise<Buffer> => compressors.gzip(bytes, { level: GZIP_LEVEL }),
} as const;

/** For the whole server: call it before routes are added. */
export function compressAnswers(app: FastifyInstance, metrics: Metrics): void {
  let running = 0;
  metrics.gauge('sextant_compressions', 'Responses being compressed', () => running);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!mayCompress(reply, payload)) return done(null, payload);
    addVary(reply);
    const encoding = encodingFor(request.headers['accept-encoding']);
    const isCompressed = reply.hasHeader('content-encoding'); // at build time, or by a route that keeps it so
    const isBody = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isCompressed || !isBody || encoding === null || running >= RUNNING_MAX || request.method === 'HEAD')
      return done(null, payload);
    running += 1;
    compress[encoding](Buffer.from(payload as string))
      .finally(() => {
        running -= 1;
      })
      .then(
        (bytes) => {
          reply.header('content-encoding', encoding).removeHeader('content-length');
          done(null, bytes);
        },
        () => done(null, payload),
      );
  });
}

/** Checks the size first: most responses are small. */
function mayCompress(reply: FastifyReply, payload: unknown): boolean {
  if (payload === null || payload === undefined) return false;
  if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < SMALL_BYTES) return false;
  if (!COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return false;
  if (reply.hasHeader('set-cookie')) return false; // it starts a session: a second safeguard for its tokens
  return !String(reply.getHeader('cache-control')).includes('no-transform');
}

/** Makes caches keep one response per encoding. */
function addVary(reply: FastifyReply): void {
  const vary = String(reply.getHeader('vary') ?? '');
  if (!vary.includes('Accept-Encoding')) reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding');
}
