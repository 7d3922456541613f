/** HTTP routes of a domain outside the API, for example the beacon. The server registers them in a separate scope. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from './context.js';

export interface RouteScope {
  /** The scope. Errors get the same responses as elsewhere. */
  readonly app: FastifyInstance;
  readonly services: Services;
  /** Limits the requests of an address to these routes, in addition to the server's own limit. */
  limitRequests(perMinute: number): void;
  /**
   * Does the work of a request when the process has capacity for it.
   * @param bytesMax the maximum size of the request's body
   * @throws BusyError the server is overloaded
   */
  admit<T>(request: FastifyRequest, bytesMax: number, work: () => Promise<T>): Promise<T>;
}

export type Routes = (scope: RouteScope) => void;
