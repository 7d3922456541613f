/** Identifies the sender of each request, once, before anything else handles it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { viewerOf } from './caller.js';
import type { Identities } from './identities.js';
import type { Viewer } from './viewer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender. Only under `/graphql`. */
    viewer: Viewer;
  }
}

/** @param app a scope that parses cookies */
export function identifyViewers(app: FastifyInstance, identities: Identities): void {
  app.decorateRequest('viewer');
  app.addHook('onRequest', async (request, reply) => {
    request.viewer = await viewerOf(request, identities);
    // The client has disconnected meanwhile: work started now would wait in vain for a `close` event that has already fired.
    if (hasLeft(request, reply)) reply.hijack();
  });
}

/** A response queued behind another one on its connection gets no `close` event. */
const hasLeft = (request: FastifyRequest, reply: FastifyReply): boolean =>
  reply.raw.destroyed || request.raw.socket.destroyed;
