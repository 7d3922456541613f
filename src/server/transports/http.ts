/** GraphQL over HTTP, per the specification: Apollo Server executes it, behind the same admission as every other transport. */
import { ApolloServer, type ApolloServerPlugin, type HTTPGraphQLHead } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DocumentNode, GraphQLError, type GraphQLFormattedError, OperationTypeNode } from 'graphql';
import { BusyError, SextantError, UnavailableError } from '../../shared/errors.js';
import { type Context, makeContext, timeWrites, writtenAt } from '../context/context.js';
import { cookieSession } from '../identity/browser-session.js';
import { signsOf } from '../identity/caller.js';
import { boundUnreadAnswers } from '../limits/unread-answers.js';
import type { Metrics } from '../observe/metrics.js';
import type { HttpAdmission } from '../operations/http-admission.js';
import type { AdmittedOperation, OperationAdmission } from '../operations/operation-admission.js';
import { UNCOMPRESSED } from '../request/answer-compression.js';
import { OperationRejected, toClientError, toGraphQLError, withoutSuggestion } from '../request/failure.js';
import { bodyBytesOf, parametersOf } from '../request/parameters.js';
import { retryAfterSeconds, sendBusy, sendErrors } from '../request/reply.js';
import { inOperationSpan } from './execution.js';
import type { Transport } from './transport.js';

/** Adds the route. @param app a separate scope: its body parsers and error format apply only inside it */
export async function registerHttp(
  app: FastifyInstance,
  { services, schema, admission, allowance, gate, backlog, metrics }: Transport,
  httpAdmission: HttpAdmission,
): Promise<void> {
  const isProduction = services.config.NODE_ENV === 'production';
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true, // the admission decides
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    documentStore: admittedDocuments(admission),
    persistedQueries: { cache: httpAdmission.texts },
    formatError: ({ message }, thrown) => {
      const error =
        thrown instanceof GraphQLError ? thrown : new GraphQLError(message, { originalError: thrown as Error });
      return toClientError(isProduction ? withoutSuggestion(error) : error, app.log);
    },
    logger: app.log,
    plugins: [
      // It would wrap every resolver, and no response here is cached by proxies.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      onlyAdmitted(admission),
      finish(metrics),
    ],
  });
  await apollo.start();
  boundUnreadAnswers(app, backlog);
  app.addHook('onClose', () => apollo.stop());

  const handle = fastifyApolloHandler(apollo, {
    context: async (request, reply) =>
      makeContext(services, {
        viewer: request.viewer,
        requestId: request.id,
        address: request.ip,
        signs: signsOf(request),
        browser: cookieSession(request, reply, services.config),
      }),
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      gate.requireRoom(); // checked again now that the body has arrived; a rejected request costs the caller nothing
      const caller = { viewer: request.viewer, address: request.ip };
      let admitted: AdmittedOperation | undefined;
      try {
        admitted = httpAdmission.admit(parametersOf(request));
        if (admitted) allowance.charge(caller, admitted.cost);
      } catch (error) {
        metrics.countOperation('http', 'rejected');
        if (error instanceof OperationRejected) return sendErrors(request, reply, 400, error.errors);
        if (error instanceof BusyError) return sendBusy(request, reply, 429, error);
        throw error;
      }
      if (admitted?.asksForSecret) reply.header('cache-control', UNCOMPRESSED);
      const run = async () => handle.call(app, request, reply);
      return gate.run(() => (admitted ? inOperationSpan(admitted.definition, run, request.headers) : run()), {
        cost: admitted?.cost ?? 0,
        bytes: bodyBytesOf(request, services.config), // files are on disk
        isGone: () => request.raw.socket.destroyed,
        giveBack: () => admitted && allowance.giveBack(caller, admitted.cost),
      });
    },
  });
  app.route({
    method: ['PUT', 'PATCH', 'DELETE'],
    url: '/graphql',
    handler: (request, reply) => {
      const error = new SextantError('BAD_REQUEST', 'Operations must be sent with GET or POST');
      return sendErrors(request, reply.header('allow', 'GET, POST'), 405, [toGraphQLError(error)]);
    },
  });
}

/** Gives Apollo the admitted documents, so that it parses and validates nothing twice. */
function admittedDocuments(admission: OperationAdmission) {
  const SHA256_LENGTH = 64;
  return {
    get: async (key: string): Promise<DocumentNode | undefined> => admission.find(key.slice(-SHA256_LENGTH)),
    set: async () => undefined,
    delete: async () => false,
  };
}

/** However a text reached Apollo, it is executed only if it was admitted. */
const onlyAdmitted = (admission: OperationAdmission): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ document }) => {
      if (!admission.knows(document)) throw new Error('The operation was not admitted');
    },
  }),
});

/** Reports the time of the operation's writes, and counts the operation. */
const finish = (metrics: Metrics): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ operation, contextValue }) => {
      if (operation?.operation === OperationTypeNode.MUTATION) timeWrites(contextValue);
    },
    willSendResponse: async ({ response: { body, http }, contextValue }) => {
      if (body.kind !== 'single') return;
      metrics.countOperation('http', body.singleResult.errors ? 'errors' : 'ok');
      tellUnavailable(body.singleResult, http);
      const at = writtenAt(contextValue);
      if (at !== undefined) body.singleResult.extensions = { ...body.singleResult.extensions, writtenAt: at };
    },
  }),
});

/** For load balancers and clients that check only the status: 503 if the database is unreachable and that is all there is to report. */
function tellUnavailable(
  { data, errors = [] }: { readonly data?: unknown; readonly errors?: readonly GraphQLFormattedError[] },
  http: HTTPGraphQLHead,
): void {
  const isNothingElse = errors.length > 0 && errors.every(({ extensions }) => extensions?.code === UNAVAILABLE.code);
  if (!isNothingElse || (data ?? null) !== null) return;
  http.status = 503;
  http.headers.set('retry-after', retryAfterSeconds(UNAVAILABLE));
}

const UNAVAILABLE = new UnavailableError();
