/** The floor of pages: files of a folder, sent by `@fastify/static`, compressed ones as they are. */
import staticFiles from '@fastify/static';
import Fastify from 'fastify';
import { environment, ready } from './process.js';

const app = Fastify();
await app.register(staticFiles, { root: environment('FOLDER'), preCompressed: true, cacheControl: false });
await app.listen({ port: 0, host: '127.0.0.1' });
ready(app.server);
