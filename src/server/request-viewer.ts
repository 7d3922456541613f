/** Finds out who sends each request, once, before anything else looks at it. */
import type { FastifyInstance } from 'fastify';
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
  app.addHook('onRequest', async (request) => {
    request.viewer = await viewerOf(request, identities);
  });
}
