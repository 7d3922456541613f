/** Registers the HTTP routes of the domains, each domain in a separate scope. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerServices } from '../context/context.js';
import type { Routes } from '../context/routes.js';
import { viewerOf } from '../identity/caller.js';
import { RequestAllowance } from '../limits/allowance.js';
import type { Backlog } from '../limits/backlog.js';
import type { Demand, OverloadGate } from '../limits/overload-gate.js';
import { streamParts } from '../limits/unread-answers.js';
import { requireOwnPage } from '../request/origin.js';
import { sendFailure } from '../request/reply.js';
import { limitRequests } from '../request/request-limit.js';

export async function registerRoutes(
  app: FastifyInstance,
  services: ServerServices,
  gate: OverloadGate,
  backlog: Backlog,
  routes: readonly Routes[],
): Promise<void> {
  for (const register of routes)
    await app.register(async (scope) => {
      scope.setErrorHandler(sendFailure);
      register({
        app: scope,
        services,
        publicUrl: services.publicUrl,
        limitRequests: (limit, limited = scope) =>
          limitRequests(limited, services.config, typeof limit === 'number' ? new RequestAllowance(limit) : limit),
        admit: (request, bytesMax, work) => gate.run(work, demandOf(request, bytesMax)),
        senderOf: async (request) => {
          requireOwnPage(request, services.config);
          return { viewer: await viewerOf(request, services.identities), address: request.ip };
        },
        stream: (request, reply, parts) => streamParts(request, reply, parts, backlog),
      });
    });
}

const demandOf = ({ headers, raw }: FastifyRequest, bytesMax: number): Demand => ({
  cost: 0,
  bytes: Math.min(Number(headers['content-length'] ?? bytesMax), bytesMax),
  isGone: () => raw.socket.destroyed,
});
