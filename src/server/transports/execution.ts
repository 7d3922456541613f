/** Operations of the transports with persistent connections: sockets and event streams. */
import type { FastifyBaseLogger } from 'fastify';
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { SextantError } from '../../shared/errors.js';
import { inSpan } from '../../shared/tracing.js';
import { type Context, makeContext, timeWrites, writtenAt } from '../context/context.js';
import type { Caller } from '../identity/caller.js';
import type { TransportName } from '../observe/metrics.js';
import type { OperationAdmission, OperationRequest } from '../operations/operation-admission.js';
import { OperationRejected, toClientError, toGraphQLError } from '../request/failure.js';
import { isRecord } from '../request/parameters.js';
import type { Transport } from './transport.js';

type Values = Readonly<Record<string, unknown>>;

/** A result of graphql-js or of a transport's library. */
interface Result {
  readonly errors?: readonly GraphQLError[] | undefined;
  readonly data?: Values | null | undefined;
  readonly extensions?: Values | undefined;
}

export type Execution = ExecutionArgs & {
  readonly contextValue: Context;
  /** Estimated cost, in points. */
  readonly cost: number;
  /** Text of the operation, as sent or from the trusted document. */
  readonly text: string;
  /** Size of the message or body, which is held while the operation waits. */
  readonly bytes: number;
};

/** Without a text, it names a trusted document by its id. */
export type TransportRequest = Omit<OperationRequest, 'query'> & {
  readonly query?: string | undefined;
  readonly extensions?: Values | null | undefined;
  /** Size of the message or body. */
  readonly bytes: number;
};

/** Approximate memory of a subscription, without its message, its document and the followed state. */
const SUBSCRIPTION_BYTES = 2048;

/** Admits an operation and prepares the arguments for graphql-js. @returns the errors if it was rejected */
export function prepareExecution(
  { services, schema, admission, allowance, gate, metrics }: Transport,
  name: TransportName,
  request: TransportRequest,
  caller: Caller,
): Execution | GraphQLError[] {
  try {
    gate.requireRoom();
    const query = textOf(request, admission);
    const { document, documentBytes, definition, cost } = admission.admit({ ...request, query });
    allowance.charge(caller, cost);
    const load = { bytes: request.bytes + SUBSCRIPTION_BYTES, document, documentBytes };
    const contextValue = makeContext(services, caller, load);
    if (definition.operation === OperationTypeNode.MUTATION) timeWrites(contextValue);
    return {
      schema,
      document,
      cost,
      bytes: request.bytes,
      text: document.loc?.source.body ?? query, // one shared string for equal texts
      operationName: request.operationName ?? null,
      variableValues: declaredOf(definition, request.variables ?? {}),
      contextValue,
      hideSuggestions: services.config.NODE_ENV === 'production',
    };
  } catch (error) {
    metrics.countOperation(name, 'rejected');
    if (error instanceof OperationRejected) return [...error.errors];
    return [asGraphQLError(error)];
  }
}

/** Undeclared variables are useless, and would be kept as long as a subscription runs. */
function declaredOf({ variableDefinitions = [] }: OperationDefinitionNode, given: Values): Values {
  const names = variableDefinitions.map(({ variable }) => variable.name.value);
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

function textOf({ query, extensions }: TransportRequest, admission: OperationAdmission): string {
  if (query) return query;
  const { persistedQuery } = extensions ?? {};
  if (!isRecord(persistedQuery)) throw new SextantError('BAD_REQUEST', 'The request has no `query`');
  const text = admission.trustedText(String(persistedQuery.sha256Hash));
  if (text !== undefined) return text;
  throw new GraphQLError('No trusted document has this hash', { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } });
}

/** Runs a query or a mutation. @param isGone whether its client has disconnected: then it is not started */
export async function runOnce(
  { gate, allowance, metrics }: Transport,
  name: TransportName,
  args: ExecutionArgs,
  isGone: () => boolean,
): Promise<ExecutionResult> {
  const { cost, bytes, contextValue } = args as Execution;
  const operation = getOperationAST(args.document, args.operationName);
  const run = async () => execute(args);
  const result = await gate
    .run(() => (operation ? inOperationSpan(operation, run) : run()), {
      cost,
      bytes,
      isGone,
      giveBack: () => allowance.giveBack(contextValue, cost),
    })
    .catch((error): ExecutionResult => ({ errors: [asGraphQLError(error)] })); // if thrown, it would end the socket
  metrics.countOperation(name, result.errors ? 'errors' : 'ok');
  return result;
}

/** The operation's name is an attribute, not the span's name: clients choose it, so its cardinality is unbounded. */
export function inOperationSpan<T>(
  { operation, name }: OperationDefinitionNode,
  work: () => Promise<T>,
  headers?: object,
): Promise<T> {
  const attributes = {
    'graphql.operation.type': operation,
    ...(name && { 'graphql.operation.name': name.value }),
  };
  return inSpan(operation, attributes, work, headers);
}

/** The context that `prepareExecution` created, from the arguments that a library passes back. */
export function contextOf(args: ExecutionArgs): Context {
  return (args as Execution).contextValue;
}

/** A result for a client: with error codes, and with the time of the operation's writes. */
export function toClientResult(
  { errors, data, extensions }: Result,
  context: Context,
  log: FastifyBaseLogger,
): FormattedExecutionResult {
  const at = writtenAt(context);
  return {
    ...(errors && { errors: errors.map((error) => toClientError(error, log)) }),
    ...(data !== undefined && { data }),
    ...((extensions || at !== undefined) && { extensions: { ...extensions, ...(at && { writtenAt: at }) } }),
  };
}

export function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  if (error instanceof SextantError) return toGraphQLError(error);
  return new GraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) });
}
