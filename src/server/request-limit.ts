/** Bounds how often an address may ask: before it is known who asks, as that may take a question to the database. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import type { RequestAllowance } from './allowance.js';
import { addressOf } from './caller.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Never refused for asking too often: what a balancer or a supervisor asks, from one address, for all. */
    isUnlimited?: boolean;
  }
}

/** Of a scope, or of the whole server. Call it before anything else looks at requests. */
export function limitRequests(app: FastifyInstance, config: Config, allowance: RequestAllowance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isUnlimited) return;
    const waitSeconds = allowance.charge(addressOf(request.raw, config));
    if (waitSeconds === 0) return;
    reply.header('retry-after', waitSeconds);
    throw Object.assign(new Error('Your address asks too often'), { statusCode: 429 }); // in the shape of each part of the site
  });
}
