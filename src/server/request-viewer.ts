/** Finds out who sends each request, once, before anything else looks at it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { viewerOf } from './caller.js';
import type { Identities } from './identities.js';
import type { Viewer } from './viewer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Under `/graphql` only. */
    viewer: Viewer;
  }
}

/** @param app a scope whose requests have their cookies read */
export function identifyViewers(app: FastifyInstance, identities: Identities): void {
  app.decorateRequest('viewer');
  app.addHook('onRequest', async (request, reply) => {
    request.viewer = await viewerOf(request, identities);
    // Who left meanwhile is done with: whatever begins now would wait in vain for the connection's end, which has been told.
    if (hasLeft(request, reply)) reply.hijack();
  });
}

/** A response that waits behind another one on its connection is not told of the connection's end. */
const hasLeft = (request: FastifyRequest, reply: FastifyReply): boolean =>
  reply.raw.destroyed || request.raw.socket.destroyed;
