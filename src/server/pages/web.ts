/** Serves the built dashboard, shop and GraphiQL from `dist/web`, with headers that keep foreign scripts out of them. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import staticFiles, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Config, hasGraphiQL } from '../../config/config.js';
import { SextantError } from '../../shared/errors.js';
import { sendFailure } from '../request/reply.js';

const FOLDER = fileURLToPath(new URL('../../../dist/web/', import.meta.url)); // the same path from `src` and from `dist`
const HINT = 'The dashboard is not built. Run: npm run build\nThe API is at /graphql\n';
const YEAR_SECONDS = 31_536_000;

export async function serveWeb(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(helmet, {
    strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') ?? false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'], // the editor's workers
        styleSrc: ["'self'", "'unsafe-inline'"], // the editor and the charts set styles from script
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...socketSources(config)],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  const isBuilt = existsSync(FOLDER);
  const dashboard = isBuilt ? readDashboard(config) : null;
  if (isBuilt) {
    // One route for all that is built: a route for each file would take a tenth of the time of a start.
    await app.register(staticFiles, {
      ...served(`public, max-age=${YEAR_SECONDS}, immutable`), // each has a hash of its content in its name
      root: `${FOLDER}built`,
      prefix: '/built/',
      allowedPath: (path) => !/\.(br|gz)$/.test(path), // served under the name of the original
      decorateReply: false,
    });
    await app.register(staticFiles, {
      ...served('no-cache'),
      root: FOLDER,
      wildcard: false,
      // Pages are served at other paths, and GraphiQL only if it is on.
      globIgnore: ['index.html', 'shop.html', 'graphiql.html', '**/*.br', '**/*.gz', 'built/**'],
    });
    const shopPaths = config.DOMAINS.includes('commerce') ? ['/shop', '/shop/*'] : [];
    for (const path of shopPaths) app.get(path, (_request, reply) => reply.sendFile('shop.html'));
    if (hasGraphiQL(config)) app.get('/graphiql', (_request, reply) => reply.sendFile('graphiql.html'));
  }
  app.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) {
      const error = new SextantError('NOT_FOUND', `There is nothing at ${request.url.split('?', 1)[0]}`);
      return sendFailure(error, request, reply);
    }
    if (dashboard === null) return reply.type('text/plain; charset=utf-8').send(HINT);
    return reply.code(200).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(dashboard);
  });
}

const served = (cacheControl: string) =>
  ({
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.setHeader('cache-control', cacheControl),
  }) satisfies Partial<FastifyStaticOptions>;

/** The dashboard does its own routing: its page is served for every path that a browser opens. */
function isPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (url.startsWith('/graphql')) return false;
  return url === '/' || Boolean(headers.accept?.includes('text/html'));
}

/** The dashboard's page. An attribute tells it which features this server lacks, so that it does not offer them. */
function readDashboard(config: Config): string {
  const page = readFileSync(`${FOLDER}index.html`, 'utf8');
  return hasGraphiQL(config) ? page : page.replace('<html ', '<html data-graphiql="off" ');
}

/** In some browsers `'self'` does not cover sockets of the same origin. */
function socketSources({ PUBLIC_URL }: Config): string[] {
  return PUBLIC_URL ? [new URL(PUBLIC_URL).origin.replace(/^http/, 'ws')] : [];
}
