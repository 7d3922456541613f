/** `/healthz`: the process is alive. `/readyz`: it can do its work; a load balancer sends it nothing while it is not ready. */
import type { FastifyInstance } from 'fastify';
import { auditIndexes } from '../../database/collections/index-audit.js';
import type { Services } from '../context/context.js';

const PING_TIMEOUT_MS = 2000;
/** A stream that is further behind shows outdated data. */
const LAG_MAX_MS = 30_000;

export function serveHealth(app: FastifyInstance, services: Services, isClosing: () => boolean): void {
  const collections = services.domains.flatMap((domain) => domain.collections);
  let indexesBuilt = false; // once seen, they are not checked again

  const findFault = async (): Promise<string | null> => {
    if (isClosing()) return 'The server is shutting down';
    try {
      await services.db.command({ ping: 1 }, { signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
      indexesBuilt ||= (await auditIndexes(services.db, collections)).every(({ problem }) => problem !== 'MISSING');
    } catch {
      return 'The database does not respond';
    }
    if (!indexesBuilt) return 'Indexes are missing';
    return services.hub.lagMs > LAG_MAX_MS ? 'The change stream is far behind' : null;
  };

  // Concurrent requests share one check, so that many cost the database no more than one.
  let finding: Promise<string | null> | null = null;
  const findFaultOnce = () => {
    finding ??= findFault().finally(() => {
      finding = null;
    });
    return finding;
  };

  const unlimited = { config: { isUnlimited: true } };
  app.get('/healthz', unlimited, async () => ({ status: 'ok', database: services.databaseIdentity }));
  app.get('/readyz', unlimited, async (_request, reply) => {
    const fault = await findFaultOnce();
    return fault ? reply.code(503).send({ status: 'not ready', reason: fault }) : { status: 'ready' };
  });
}
