/**
 * Operations over Server-Sent Events, for clients behind proxies that reject WebSockets: one request per operation, the distinct
 * connections mode of the GraphQL over SSE protocol, compatible with the graphql-sse client. That library's server handler buffers
 * unread events without bound; here the next event is pulled only when the previous one has been sent.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type GraphQLFormattedError, getOperationAST, OperationTypeNode } from 'graphql';
import { BusyError, SextantError } from '../../shared/errors.js';
import { DAY_MS } from '../../shared/time.js';
import { accountOf } from '../identity/allowance-account.js';
import { noBrowserSession } from '../identity/browser-session.js';
import { signsOf } from '../identity/caller.js';
import { AddressCount } from '../limits/address-count.js';
import { Outlet } from '../limits/backlog.js';
import { toClientError, toGraphQLError } from '../request/failure.js';
import { bodyBytesOf, parametersOf } from '../request/parameters.js';
import { forcesPreflight, PREFLIGHT_HEADERS } from '../request/preflight.js';
import { sendBusy, sendErrors } from '../request/reply.js';
import { asGraphQLError, type Execution, prepareExecution, runOnce, toClientResult } from './execution.js';
import { type Cohort, Cohorts, isSource, openSource, type Source } from './shared-subscription.js';
import type { Transport } from './transport.js';

const PATH = '/graphql/stream';
const KEEP_ALIVE_MS = 12_000;
/** A client that has read nothing for this many keep-alives is disconnected. */
const STALLED_MAX = 8;

const MEDIA_TYPE = 'text/event-stream';
const HEADERS = {
  'content-type': `${MEDIA_TYPE}; charset=utf-8`,
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no', // a proxy must not buffer events
};

export async function registerEventStream(app: FastifyInstance, transport: Transport): Promise<void> {
  const { config } = transport.services;
  const cohorts = new Cohorts(app.log);
  const open = new Set<EventStream>();
  const byAddress = new AddressCount();
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end();
  });

  app.route({
    method: ['GET', 'POST'],
    url: PATH,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.method === 'GET' && !asksForEvents(request) && !forcesPreflight(request))
        throw new SextantError(
          'BAD_REQUEST',
          `GET requires the header accept: ${MEDIA_TYPE}, or ${PREFLIGHT_HEADERS[0]}`,
        );
      const parameters = parametersOf(request);
      if (!parameters || (parameters.query === undefined && !parameters.persistedQuery))
        throw new SextantError('BAD_REQUEST', 'The request has no `query`, or its parameters are of the wrong type');
      if (open.size >= config.MAX_SOCKETS) throw new BusyError('Too many event streams are open');
      if (byAddress.of(request.ip) >= config.MAX_SOCKETS_PER_ADDRESS)
        return sendBusy(request, reply, 429, new BusyError('Too many event streams are open from your address'));
      const carried = { ...parameters, bytes: bodyBytesOf(request, config) };
      const execution = prepareExecution(transport, 'event-stream', carried, {
        viewer: request.viewer,
        requestId: request.id,
        address: request.ip,
        signs: signsOf(request),
        browser: noBrowserSession,
      });
      if (request.method === 'GET' && isMutation(execution)) {
        const error = new SextantError('BAD_REQUEST', 'A mutation requires POST');
        return sendErrors(request, reply.header('allow', 'POST'), 405, [toGraphQLError(error)]);
      }
      reply.hijack();
      const stream = new EventStream(reply, transport, accountOf(request.viewer, request.ip));
      open.add(stream);
      byAddress.add(request.ip, 1);
      stream.closed.then(() => {
        open.delete(stream);
        byAddress.add(request.ip, -1);
      });
      if (Array.isArray(execution)) stream.fail(execution.map((error) => toClientError(error, request.log)));
      else void stream.run(execution, cohorts, request);
    },
  });
}

/** Links, images and forms, with which any page can make a browser send its cookies, do not ask for events. */
const asksForEvents = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.toLowerCase().includes(MEDIA_TYPE);

function isMutation(execution: ReturnType<typeof prepareExecution>): boolean {
  if (Array.isArray(execution)) return false;
  return getOperationAST(execution.document, execution.operationName)?.operation === OperationTypeNode.MUTATION;
}

const KEEP_ALIVE = ':\n\n';
const COMPLETE = 'event: complete\ndata:\n\n';
const next = (result: string): string => `event: next\ndata: ${result}\n\n`;

/** One operation and its connection to the client. */
class EventStream {
  readonly closed: Promise<unknown>;
  readonly #line: ServerResponse;
  readonly #outlet: Outlet;
  readonly #keepAlive: NodeJS.Timeout;
  #expiry: NodeJS.Timeout | undefined;
  #stalled = 0;
  readonly #transport: Transport;

  constructor(reply: FastifyReply, transport: Transport, account: string) {
    this.#transport = transport;
    this.#line = reply.raw;
    this.#outlet = new Outlet(this.#line, transport.backlog, account, () => this.#line.destroy());
    this.closed = once(this.#line, 'close');
    const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined));
    this.#line.writeHead(200, { ...headers, ...HEADERS } as Record<string, string>);
    this.#line.write(KEEP_ALIVE); // some browsers process the headers only when data follows
    this.#keepAlive = setInterval(() => this.#beat(), KEEP_ALIVE_MS);
    this.closed.then(() => {
      this.#outlet.close();
      clearInterval(this.#keepAlive);
      clearTimeout(this.#expiry);
    });
  }

  async run(execution: Execution, cohorts: Cohorts, { log }: FastifyRequest): Promise<void> {
    const { viewer } = execution.contextValue;
    const operation = getOperationAST(execution.document, execution.operationName)?.operation;
    try {
      const opened =
        operation === OperationTypeNode.SUBSCRIPTION
          ? await openSource(execution)
          : await runOnce(this.#transport, 'event-stream', execution, () => this.#line.destroyed);
      if (!isSource(opened)) {
        await this.#write(next(JSON.stringify(toClientResult(opened, execution.contextValue, log))));
        return this.end();
      }
      if (viewer.expiresAt) this.#endAt(viewer.expiresAt, log);
      const { identities } = this.#transport.services;
      const watcher = { rightsChanged: () => this.#refuse('Your rights have changed', log) };
      identities.watch(viewer, watcher);
      this.closed.then(() => identities.unwatch(viewer, watcher));
      await this.#deliver(opened, cohorts.join(execution));
      this.end();
    } catch (error) {
      this.fail([toClientError(asGraphQLError(error), log)]);
    }
  }

  async #deliver(source: Source, cohort: Cohort): Promise<void> {
    this.closed.then(() => source.return()); // wakes the loop below when the client leaves
    if (this.#line.destroyed) await source.return();
    try {
      for await (const event of source) await this.#write(next(String(await cohort.payloadOf(event))));
    } finally {
      cohort.leave();
    }
  }

  /** Sends the errors and ends. */
  fail(errors: GraphQLFormattedError[]): void {
    void this.#write(next(JSON.stringify({ errors })));
    this.end();
  }

  end(): void {
    if (!this.#line.writableEnded) this.#line.end(COMPLETE);
  }

  /** Ends a stream whose viewer lost the right to it: the client reconnects and is authenticated again. */
  #refuse(message: string, log: FastifyRequest['log']): void {
    this.fail([toClientError(toGraphQLError(new SextantError('UNAUTHENTICATED', message)), log)]);
  }

  #endAt(expiresAt: Date, log: FastifyRequest['log']): void {
    const leftMs = expiresAt.getTime() - this.#transport.services.now().getTime();
    if (leftMs <= 0) {
      this.#refuse('The token has expired', log);
      return;
    }
    // An issuer's token may last longer than a timer can wait.
    this.#expiry = setTimeout(() => this.#endAt(expiresAt, log), Math.min(leftMs, DAY_MS));
  }

  /** Resolves when there is room for more. */
  async #write(message: string): Promise<void> {
    if (this.#line.writableEnded || this.#line.destroyed) return;
    const taken = this.#line.write(message);
    this.#outlet.noteWritten();
    if (!taken) await this.#room();
  }

  /** Resolves when the response has drained or is closed, and leaves no listener behind. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#line.off('drain', done).off('close', done);
        resolve();
      };
      this.#line.on('drain', done).on('close', done);
    });
  }

  #beat(): void {
    this.#stalled = this.#line.writableNeedDrain ? this.#stalled + 1 : 0;
    if (this.#stalled > STALLED_MAX) this.#line.destroy();
    else if (this.#stalled === 0) this.#line.write(KEEP_ALIVE);
  }
}
