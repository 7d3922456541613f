/** GraphQL over HTTP, as the specification says: Apollo Server carries it out, behind the same desk as every other carrier. */
import { hash } from 'node:crypto';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DocumentNode, GraphQLError, OperationTypeNode } from 'graphql';
import { BusyError, SextantError } from '../shared/errors.js';
import { BoundedCache } from './bounded-cache.js';
import { cookieSession } from './browser-session.js';
import type { Carrier } from './carrier.js';
import { type Context, makeContext, timeWrites, writtenAt } from './context.js';
import { inOperationSpan } from './execution.js';
import { toClientError, toGraphQLError } from './failure.js';
import type { Metrics } from './metrics.js';
import { type AdmittedOperation, type OperationDesk, OperationRefused } from './operation.js';
import { parametersOf } from './parameters.js';
import { sendBusy, sendErrors } from './reply.js';

/** Persisted queries: texts that clients have registered, by their SHA-256. */
const PERSISTED_BOUNDS = { entriesMax: 2000, sizeMax: 8_000_000 };

/** Adds the route. @param app a scope of its own: body parsers and error shape hold inside it */
export async function registerHttp(
  app: FastifyInstance,
  { services, schema, desk, allowance, gate, metrics }: Carrier,
): Promise<void> {
  const texts = new PersistedTexts(desk);
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true, // the desk decides
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    documentStore: admittedDocuments(desk),
    persistedQueries: { cache: texts },
    formatError: (formatted, error) =>
      toClientError(
        error instanceof GraphQLError ? error : new GraphQLError(formatted.message, { originalError: error as Error }),
        app.log,
      ),
    logger: app.log,
    plugins: [
      // It wraps every resolver, and nothing here is cached by proxies.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      onlyAdmitted(desk),
      finish(metrics),
    ],
  });
  await apollo.start();
  app.addHook('onClose', () => apollo.stop());

  const handle = fastifyApolloHandler(apollo, {
    context: async (request, reply) =>
      makeContext(services, {
        viewer: request.viewer,
        requestId: request.id,
        address: request.ip,
        browser: cookieSession(request, reply, services.config),
      }),
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      gate.requireRoom(); // the body has arrived since this was asked first; what is refused costs the caller nothing
      let admitted: AdmittedOperation | undefined;
      try {
        admitted = admit(request, desk, texts);
        if (admitted) allowance.charge({ viewer: request.viewer, address: request.ip }, admitted.cost, Date.now());
      } catch (error) {
        metrics.countOperation('http', 'refused');
        if (error instanceof OperationRefused) return sendErrors(request, reply, 400, error.errors);
        if (error instanceof BusyError) return sendBusy(request, reply, 429, error);
        throw error;
      }
      const run = async () => handle.call(app, request, reply);
      return gate.run(() => (admitted ? inOperationSpan(admitted.definition, run, request.headers) : run()));
    },
  });
  app.route({
    method: ['PUT', 'PATCH', 'DELETE'],
    url: '/graphql',
    handler: (request, reply) => {
      const error = new SextantError('BAD_REQUEST', 'Operations are sent by GET or POST');
      return sendErrors(request, reply.header('allow', 'GET, POST'), 405, [toGraphQLError(error)]);
    },
  });
}

/** What cannot be read as an operation at all is left to Apollo, which says what is wrong with it. @throws OperationRefused */
function admit(request: FastifyRequest, desk: OperationDesk, texts: PersistedTexts): AdmittedOperation | undefined {
  const parameters = parametersOf(request);
  if (!parameters) return undefined;
  const { persistedQuery } = parameters;
  if (persistedQuery && persistedQuery.version !== 1) refuse('Persisted queries are of version 1 here');
  const query = parameters.query ?? (persistedQuery && texts.find(String(persistedQuery.sha256Hash)));
  if (query === undefined) return undefined;
  if (persistedQuery && persistedQuery.sha256Hash !== hash('sha256', query))
    refuse('The persisted query’s hash is not the SHA-256 of its text');
  const admitted = desk.admit({ ...parameters, query });
  if (admitted.definition.operation === OperationTypeNode.SUBSCRIPTION)
    refuse('Subscriptions are followed on a socket at /graphql, or as an event stream at /graphql/stream');
  return admitted;
}

function refuse(message: string): never {
  throw new OperationRefused([toGraphQLError(new SextantError('BAD_REQUEST', message))]);
}

/** Gives Apollo the documents that were admitted, so that it parses and validates nothing a second time. */
function admittedDocuments(desk: OperationDesk) {
  const SHA256_LENGTH = 64;
  return {
    get: async (key: string): Promise<DocumentNode | undefined> => desk.find(key.slice(-SHA256_LENGTH)),
    set: async () => undefined,
    delete: async () => false,
  };
}

/** What Apollo writes before a hash. */
const PERSISTED_PREFIX = 'apq:';

/** Texts by their hash: those of trusted documents, and those that clients have registered. As Apollo wants to ask for them. */
class PersistedTexts {
  readonly #registered = new BoundedCache<string>(PERSISTED_BOUNDS);

  constructor(private readonly desk: OperationDesk) {}

  find(hash: string): string | undefined {
    return this.desk.trustedText(hash) ?? this.#registered.get(hash);
  }

  async get(key: string): Promise<string | undefined> {
    return this.find(key.slice(PERSISTED_PREFIX.length));
  }

  async set(key: string, text: string): Promise<void> {
    this.#registered.set(key.slice(PERSISTED_PREFIX.length), text, text.length);
  }

  async delete(key: string): Promise<boolean> {
    return this.#registered.delete(key.slice(PERSISTED_PREFIX.length));
  }
}

/** Whatever way a text found to Apollo: what has not been admitted is not executed. */
const onlyAdmitted = (desk: OperationDesk): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ document }) => {
      if (!desk.knows(document)) throw new Error('The operation was not admitted');
    },
  }),
});

/** Tells the time of what the operation wrote, and counts the operation. */
const finish = (metrics: Metrics): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ operation, contextValue }) => {
      if (operation?.operation === OperationTypeNode.MUTATION) timeWrites(contextValue);
    },
    willSendResponse: async ({ response: { body }, contextValue }) => {
      if (body.kind !== 'single') return;
      metrics.countOperation('http', body.singleResult.errors ? 'errors' : 'ok');
      const at = writtenAt(contextValue);
      if (at !== undefined) body.singleResult.extensions = { ...body.singleResult.extensions, writtenAt: at };
    },
  }),
});
