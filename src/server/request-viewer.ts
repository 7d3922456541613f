/** Finds out who sends each request, once, before anything else looks at it. */
import type { FastifyInstance } from 'fastify';
import type { AccessTokens } from './access-token.js';
import { viewerOf } from './caller.js';
import type { Viewer } from './viewer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Under `/graphql` only. */
    viewer: Viewer;
  }
}

/** @param app a scope whose requests have their cookies read */
export function identifyViewers(app: FastifyInstance, accessTokens: AccessTokens): void {
  app.decorateRequest('viewer');
  app.addHook('onRequest', async (request) => {
    request.viewer = await viewerOf(request, accessTokens);
  });
}
