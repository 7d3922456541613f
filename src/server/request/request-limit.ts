/** The request rate limit per address, checked before the viewer is identified, as that may query the database. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';
import { addressOf } from '../identity/caller.js';
import type { RequestAllowance } from '../limits/allowance.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Exempt from the rate limit: requests of load balancers and supervisors, which come from one address. */
    isUnlimited?: boolean;
  }
}

/** For a scope, or for the whole server. Call it before anything else handles requests. */
export function limitRequests(app: FastifyInstance, config: Config, allowance: RequestAllowance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isUnlimited) return;
    const waitSeconds = allowance.charge(addressOf(request.raw, config));
    if (waitSeconds === 0) return;
    reply.header('retry-after', waitSeconds);
    throw Object.assign(new Error('Your address has exceeded its rate limit'), { statusCode: 429 }); // in each scope's own format
  });
}
