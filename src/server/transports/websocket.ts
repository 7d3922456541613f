/**
 * Operations over sockets, in the protocol `graphql-transport-ws`. graphql-ws implements the protocol; this file decides what a
 * connection may do: its viewer, how many operations it may hold, and when it ends. A rejected operation ends with an `error` for its
 * id; the socket and its other operations continue.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { makeServer, type Context as ProtocolContext, type ServerOptions } from 'graphql-ws';
import { BusyError, LimitError } from '../../shared/errors.js';
import { noBrowserSession } from '../identity/browser-session.js';
import { viewerOfSocket } from '../identity/caller.js';
import type { RequestAllowance } from '../limits/allowance.js';
import { RunningWork } from '../limits/running-work.js';
import { watchLag } from '../observe/lag-notice.js';
import { toClientError, toGraphQLError } from '../request/failure.js';
import { asGraphQLError, contextOf, type Execution, prepareExecution, runOnce, toClientResult } from './execution.js';
import { FrameWriter } from './frame-writer.js';
import { Cohorts, isSource, openSource } from './shared-subscription.js';
import { openSocketGate } from './socket-gate.js';
import { SocketState } from './socket-state.js';
import type { Transport } from './transport.js';

const PATH = '/graphql';

type Parameters = Record<string, unknown>;
type ConnectionContext = ProtocolContext<Parameters, SocketState>;

export interface OpenWebSockets {
  /** Open sockets. */
  readonly count: number;
  /** Accepts no new operations, waits at most `workMs` for running ones, and `goodbyeMs` for clients to close their sockets. */
  close(limits: { readonly workMs: number; readonly goodbyeMs: number }): Promise<void>;
}

export function openWebSockets(app: FastifyInstance, transport: Transport, requests: RequestAllowance): OpenWebSockets {
  const { log } = app;
  const { config } = transport.services;
  const running = new RunningWork();
  const protocol = makeServer(protocolOf(app, transport, running));
  const { backlog } = transport;
  const { now, identities } = transport.services;
  const services = { now, log, identities, backlog, messagesPerSecond: config.MAX_MESSAGES_PER_SECOND };
  const connections = new Set<SocketState>();
  const endNotices = watchLag(
    () => transport.services.hub.lagMs,
    (notice) => {
      for (const connection of connections) connection.notify(notice);
    },
  );
  let opened = 0;
  const gate = openSocketGate(app.server, PATH, config, requests, (socket, request, address) => {
    opened += 1;
    const connection = new SocketState(services, `socket-${opened}`, socket, address, request);
    const closed = protocol.opened(connection, connection);
    connections.add(connection);
    socket.on('error', (error) => log.info({ err: error, address }, 'A socket failed')); // ws closes it with a suitable code
    return (code, reason) => {
      connections.delete(connection);
      connection.release();
      void closed(code, reason);
    };
  });
  return {
    get count() {
      return gate.count;
    },
    close: async ({ workMs, goodbyeMs }) => {
      endNotices();
      const finished = running.finish(workMs);
      for (const connection of connections) connection.answers.open(); // waiting operations get an error
      await finished;
      await turn(); // in which the last responses are written
      await gate.close(goodbyeMs);
    },
  };
}

const goingAway = () => toGraphQLError(new BusyError('The server is shutting down'));

function protocolOf(
  app: FastifyInstance,
  transport: Transport,
  running: RunningWork,
): ServerOptions<Parameters, SocketState> {
  const { log } = app;
  const { config, identities } = transport.services;
  const cohorts = new Cohorts(log);
  const connectionOf = new WeakMap<Execution, SocketState>();
  return {
    onConnect: async (context) => {
      const { extra, connectionParams } = context;
      const viewer = await viewerOfSocket(
        connectionParams?.authorization ?? extra.headers?.authorization,
        app.parseCookie(extra.headers?.cookie ?? ''),
        identities,
      );
      if (!viewer) return false; // 4403: reconnect with a valid token, or without one
      extra.belongTo(viewer);
      Object.assign(context, { connectionParams: undefined }); // graphql-ws would keep them as long as the socket
      return true;
    },
    onSubscribe: ({ extra, subscriptions }: ConnectionContext, id, payload) => {
      const held = Object.keys(subscriptions).length; // with this one
      if (held > config.MAX_OPERATIONS_PER_SOCKET) {
        const limit = config.MAX_OPERATIONS_PER_SOCKET;
        return [toGraphQLError(new LimitError(`At most ${limit} operations may run concurrently on a socket`, limit))];
      }
      if (running.finishing) return [goingAway()];
      const carried = { ...payload, bytes: extra.messageBytes }; // graphql-ws calls this before it reads another message
      const execution = prepareExecution(transport, 'socket', carried, {
        viewer: extra.viewer,
        requestId: `${extra.id}-${id}`,
        address: extra.address,
        signs: extra.signs,
        browser: noBrowserSession,
      });
      // graphql-ws keeps the payload as long as the operation runs: identical operations share one text.
      if (Array.isArray(execution)) return execution;
      Object.assign(payload, { query: execution.text, variables: undefined, extensions: undefined });
      connectionOf.set(execution, extra);
      return execution;
    },
    // graphql-ws would iterate results; it is given the source of events instead, and `onOperation` continues from there.
    // An exception here would close the socket, and with it all other operations.
    subscribe: (args) => openSource(args).catch((error) => ({ errors: [asGraphQLError(error)] })) as Promise<never>,
    onOperation: ({ extra }, id, _payload, args, opened) => {
      if (!isSource(opened)) return undefined;
      const cohort = cohorts.join(args as Execution);
      connectionOf.delete(args as Execution);
      Object.assign(args, cohort.execution); // for the same reason: one context serves a whole cohort
      return new FrameWriter(opened, cohort, extra, id);
    },
    execute: async (args) => {
      const execution = args as Execution;
      const connection = connectionOf.get(execution);
      const leave = await connection?.answers.enter(execution);
      const run = async () =>
        running.finishing
          ? { errors: [goingAway()] }
          : running.add(runOnce(transport, 'socket', args, () => connection?.isClosed === true));
      // The result is written after this has settled: only then is it known how much room is left.
      return run().finally(() => leave && setImmediate(leave));
    },
    onNext: (_connection, _id, _payload, execution, result) => toClientResult(result, contextOf(execution), log),
    onError: (_connection, _id, _payload, errors) => errors.map((error) => toClientError(error, log)),
  };
}
