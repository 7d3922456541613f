/**
 * Operations over sockets, in the protocol `graphql-transport-ws`. The protocol is graphql-ws's; here is what a connection may do:
 * who it belongs to, how many operations it may hold, and when it ends. A refused operation ends with an `error` for its id;
 * the socket and its other operations live on.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { CloseCode, makeServer, type Context as ProtocolContext, type ServerOptions } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { BusyError, LimitError } from '../shared/errors.js';
import { noBrowserSession } from './browser-session.js';
import { viewerOfSocket } from './caller.js';
import type { Carrier } from './carrier.js';
import { contextOf, type Execution, prepareExecution, runOnce, toClientResult } from './execution.js';
import { toClientError, toGraphQLError } from './failure.js';
import { deliverFrames } from './frame-writer.js';
import type { Identities } from './identities.js';
import { RunningWork } from './running-work.js';
import { Cohorts, isSource, openSource } from './shared-subscription.js';
import { openSocketGate, type SocketGate } from './socket-gate.js';
import { paceReading } from './socket-pace.js';
import { type Viewer, visitor } from './viewer.js';

const PATH = '/graphql';
/** How long before the end of its token a client is told, to come back with a new one. */
const NOTICE_MS = 30_000;
/** Of the WebSocket registry: clients come back by themselves. */
const TRY_AGAIN_LATER = 1013;

/** What belongs to one socket. */
export interface Connection {
  readonly id: string;
  readonly socket: WebSocket;
  /** The connection under the socket. */
  readonly stream: Duplex;
  /** What the browser sent with the upgrade; let go once it is known who asks, since thousands of sockets may be idle. */
  headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'> | null;
  readonly address: string;
  viewer: Viewer;
}

type Parameters = Record<string, unknown>;
type ConnectionContext = ProtocolContext<Parameters, Connection>;

export function openWebSockets(app: FastifyInstance, carrier: Carrier): SocketGate {
  const { log } = app;
  const { config } = carrier.services;
  const running = new RunningWork();
  const protocol = makeServer(protocolOf(app, carrier, running));
  let opened = 0;
  const gate = openSocketGate(app.server, PATH, config, (socket, request, address) => {
    opened += 1;
    const { authorization, cookie } = request.headers;
    const connection: Connection = {
      id: `socket-${opened}`,
      socket,
      stream: request.socket,
      headers: { ...(authorization && { authorization }), ...(cookie && { cookie }) },
      address,
      viewer: visitor,
    };
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (data) => send(socket, data),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) => receive(socket, take, config.MAX_MESSAGES_PER_SECOND, log),
      },
      connection,
    );
    socket.on('error', (error) => log.info({ err: error, address }, 'a socket failed')); // ws closes it with the code that fits
    socket.once('close', (code, reason) => void closed(code, String(reason)));
  });
  return {
    get count() {
      return gate.count;
    },
    close: async () => {
      await running.finish(config.SHUTDOWN_MS);
      await gate.close();
    },
  };
}

function protocolOf(
  app: FastifyInstance,
  carrier: Carrier,
  running: RunningWork,
): ServerOptions<Parameters, Connection> {
  const { log } = app;
  const { config, identities } = carrier.services;
  const cohorts = new Cohorts(log);
  return {
    onConnect: async ({ extra, connectionParams }) => {
      const viewer = await viewerOfSocket(
        connectionParams?.authorization ?? extra.headers?.authorization,
        app.parseCookie(extra.headers?.cookie ?? ''),
        identities,
      );
      if (!viewer) return false; // 4403: come back with a good token, or with none
      extra.viewer = viewer;
      extra.headers = null;
      endWithToken(extra);
      endWithRights(extra, identities);
      return true;
    },
    onSubscribe: ({ extra, subscriptions }: ConnectionContext, id, payload) => {
      const held = Object.keys(subscriptions).length; // with this one
      if (held > config.MAX_OPERATIONS_PER_SOCKET) {
        const limit = config.MAX_OPERATIONS_PER_SOCKET;
        return [toGraphQLError(new LimitError(`At most ${limit} operations may run at once on a socket`, limit))];
      }
      if (running.finishing) return [toGraphQLError(new BusyError('The server is going away'))];
      return prepareExecution(carrier, 'socket', payload, {
        viewer: extra.viewer,
        requestId: `${extra.id}-${id}`,
        address: extra.address,
        browser: noBrowserSession,
      });
    },
    // graphql-ws would iterate results; it is given the source of events instead, and `onOperation` takes it from there.
    subscribe: (args) => openSource(args) as Promise<never>,
    onOperation: ({ extra }, id, _payload, args, opened) => {
      if (!isSource(opened)) return undefined;
      const target = { socket: extra.socket, stream: extra.stream, id };
      const execution = args as Execution;
      return deliverFrames(opened, cohorts.join(execution, execution.text), target);
    },
    execute: (args) => running.add(runOnce(carrier, 'socket', args)),
    onNext: (_connection, _id, _payload, execution, result) => toClientResult(result, contextOf(execution), log),
    onError: (_connection, _id, _payload, errors) => errors.map((error) => toClientError(error, log)),
  };
}

/** A token's end is the connection's end: what it may see is not decided anew for each event. */
function endWithToken({ socket, viewer }: Connection): void {
  const { expiresAt } = viewer;
  if (!expiresAt || socket.readyState !== socket.OPEN) return;
  const left = expiresAt.getTime() - Date.now();
  const notice = setTimeout(
    () => void send(socket, JSON.stringify({ type: 'ping', payload: { tokenExpiresAt: expiresAt } })),
    Math.max(0, left - NOTICE_MS),
  );
  const end = setTimeout(() => socket.close(CloseCode.Forbidden, 'The token has expired'), left);
  socket.once('close', () => {
    clearTimeout(notice);
    clearTimeout(end);
  });
}

/** What was taken from the viewer is not decided anew for each event, either: the client comes back and is asked who it is. */
function endWithRights({ socket, viewer }: Connection, identities: Identities): void {
  const unwatch = identities.watch(viewer, () => socket.close(CloseCode.Forbidden, 'Your rights have changed'));
  socket.once('close', unwatch);
}

/** Resolves when the operating system has taken it: graphql-ws waits before it asks a subscription for its next event. */
function send(socket: WebSocket, data: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(data, () => resolve()); // also when the socket broke: its `close` ends the operations
  });
}

function receive(
  socket: WebSocket,
  take: (data: string) => Promise<void>,
  messagesPerSecond: number,
  log: FastifyBaseLogger,
): void {
  const countMessage = paceReading(socket, messagesPerSecond);
  socket.on('message', async (data, isBinary) => {
    if (isBinary) return socket.close(CloseCode.BadRequest, 'Messages are text');
    countMessage();
    try {
      await take(String(data));
    } catch (error) {
      if (error instanceof BusyError) return socket.close(TRY_AGAIN_LATER, error.message); // who it is cannot be told now
      log.error({ err: error }, 'a socket message failed by a fault of ours');
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    }
  });
}
