/** HTTP routes of a domain outside the API, for example the beacon. The server registers them in a separate scope. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '../identity/viewer.js';
import type { RequestAllowance } from '../limits/allowance.js';
import type { ServerServices } from './context.js';

/** For routes that ask what a browser says about itself. */
export { signsOf } from '../identity/caller.js';

/** Who sent a form. */
export interface FormSender {
  readonly viewer: Viewer;
  /** The network address. */
  readonly address: string;
}

export interface RouteScope {
  /** The scope. Errors get the same responses as elsewhere. */
  readonly app: FastifyInstance;
  readonly services: ServerServices;
  /** The URL at which browsers reach the server. */
  readonly publicUrl: () => string;
  /**
   * Limits the requests of an address to these routes, in addition to the server's own limit.
   * @param limit per minute, or one that is shared with others
   * @param app a part of the scope. Default: all of it
   */
  limitRequests(limit: number | RequestAllowance, app?: FastifyInstance): void;
  /**
   * Does the work of a request when the process has capacity for it.
   * @param bytesMax the maximum size of the request's body
   * @throws BusyError the server is overloaded
   */
  admit<T>(request: FastifyRequest, bytesMax: number, work: () => Promise<T>): Promise<T>;
  /**
   * For a form of one of the server's own pages, which is sent with the cookies of the browser.
   * @throws SextantError FORBIDDEN a page of another site sent it
   */
  senderOf(request: FastifyRequest): Promise<FormSender>;
  /**
   * A body that is sent part by part: the next part is read when the client has taken the one before. Clients that leave too much
   * unread are disconnected, as on all transports.
   */
  stream(request: FastifyRequest, reply: FastifyReply, parts: AsyncIterable<Buffer>): Readable;
}

export type Routes = (scope: RouteScope) => void;
