/**
 * Answers are compressed for those who take it: lists and charts shrink to a tenth. zlib's threads do it, never the event loop, and
 * only as many at once as there are threads for; what comes beyond is sent as it is. An answer with a secret is never compressed: its
 * length would tell about the secret beside a text that somebody else chose (BREACH). The files of `dist/web` are compressed when they
 * are built. Not @fastify/compress: it compresses streams, piece by piece, and cannot say that it has enough to do.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Metrics } from './metrics.js';

/** What is smaller fits into one packet either way. */
const SMALL_BYTES = 1024;
/** Twice the threads that Node.js has for such work. */
const RUNNING_MAX = 8;
const COMPRESSIBLE = /^(?:application\/(?:(?:graphql-response\+)?json|javascript)|text\/|image\/svg|font\/ttf)/;
/** Nobody on the way may change an answer with this: proxies leave it alone as well. */
export const UNCOMPRESSED = 'no-store, no-transform';

/** Takes as long as gzip, and is smaller. The higher levels are for what is compressed once. */
const BROTLI_LEVEL = 4;
/** A window of 256 kB. The usual one would take megabytes for each answer. */
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

type Encoding = keyof typeof compress;

/** Of the whole server: call it before routes are added. */
export function compressAnswers(app: FastifyInstance, metrics: Metrics): void {
  let running = 0;
  metrics.gauge('sextant_compressions', 'Answers that are being compressed', () => running);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!mayCompress(reply, payload)) return done(null, payload);
    addVary(reply);
    const encoding = encodingFor(request.headers['accept-encoding']);
    const isBody = typeof payload === 'string' || Buffer.isBuffer(payload); // and no file, which has come compressed if it can
    if (!isBody || encoding === null || running >= RUNNING_MAX || request.method === 'HEAD') return done(null, payload);
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

/** The small come first: most answers are. */
function mayCompress(reply: FastifyReply, payload: unknown): boolean {
  if (payload === null || payload === undefined) return false;
  if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < SMALL_BYTES) return false;
  if (!COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return false;
  if (reply.hasHeader('set-cookie')) return false; // it begins a session: a second fence around its tokens
  return !String(reply.getHeader('cache-control')).includes('no-transform');
}

/** A cache keeps one answer for each encoding. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
}

/** @param accepted `Accept-Encoding`, for example `gzip, deflate, br;q=0.9` */
export function encodingFor(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const taken = new Set<string>();
  for (const each of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : null;
}
