/** Operations of the carriers that keep a line open: sockets and event streams. */
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
import { SextantError } from '../shared/errors.js';
import { inSpan } from '../shared/tracing.js';
import type { Carrier } from './carrier.js';
import { type Caller, type Context, makeContext, timeWrites, writtenAt } from './context.js';
import { toClientError, toGraphQLError } from './failure.js';
import type { CarrierName } from './metrics.js';
import { type OperationDesk, OperationRefused, type OperationRequest } from './operation.js';
import { isRecord } from './parameters.js';

type Values = Readonly<Record<string, unknown>>;

/** As graphql-js and the libraries of the carriers give it. */
interface Result {
  readonly errors?: readonly GraphQLError[] | undefined;
  readonly data?: Values | null | undefined;
  readonly extensions?: Values | undefined;
}

export type Execution = ExecutionArgs & {
  readonly contextValue: Context;
  /** Estimated, in points. */
  readonly cost: number;
  /** Of the operation: as it was sent, or that of the trusted document. */
  readonly text: string;
  /** Of the message or the body that it came in: it is held as long as the operation waits. */
  readonly bytes: number;
};

/** Without a text, the id of a trusted document stands for it. */
export type CarriedRequest = Omit<OperationRequest, 'query'> & {
  readonly query?: string | undefined;
  readonly extensions?: Values | null | undefined;
  /** Of the message or the body. */
  readonly bytes: number;
};

/** What a subscription takes up besides its message, its document and what it follows, about. */
const SUBSCRIPTION_BYTES = 2048;

/** Admits an operation and makes all that graphql-js needs to run it, or the errors for which it is not run. */
export function prepareExecution(
  { services, schema, desk, allowance, gate, metrics }: Carrier,
  name: CarrierName,
  request: CarriedRequest,
  caller: Caller,
): Execution | GraphQLError[] {
  try {
    gate.requireRoom();
    const query = textOf(request, desk);
    const { document, documentBytes, definition, cost } = desk.admit({ ...request, query });
    allowance.charge(caller, cost);
    const load = { bytes: request.bytes + SUBSCRIPTION_BYTES, document, documentBytes };
    const contextValue = makeContext(services, caller, load);
    if (definition.operation === OperationTypeNode.MUTATION) timeWrites(contextValue);
    return {
      schema,
      document,
      cost,
      bytes: request.bytes,
      text: document.loc?.source.body ?? query, // the same string for all who send the same
      operationName: request.operationName ?? null,
      variableValues: declaredOf(definition, request.variables ?? {}),
      contextValue,
      hideSuggestions: services.config.NODE_ENV === 'production',
    };
  } catch (error) {
    metrics.countOperation(name, 'refused');
    if (error instanceof OperationRefused) return [...error.errors];
    return [asGraphQLError(error)];
  }
}

/** What is not declared is of no use, and would be kept as long as a subscription runs. */
function declaredOf({ variableDefinitions = [] }: OperationDefinitionNode, given: Values): Values {
  const names = variableDefinitions.map(({ variable }) => variable.name.value);
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

function textOf({ query, extensions }: CarriedRequest, desk: OperationDesk): string {
  if (query) return query;
  const { persistedQuery } = extensions ?? {};
  if (!isRecord(persistedQuery)) throw new SextantError('BAD_REQUEST', 'The request has no `query`');
  const text = desk.trustedText(String(persistedQuery.sha256Hash));
  if (text !== undefined) return text;
  throw new GraphQLError('No trusted document has this hash', { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } });
}

/** Runs a query or a mutation. @param isGone whether its client has left: then it is not begun */
export async function runOnce(
  { gate, allowance, metrics }: Carrier,
  name: CarrierName,
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
    .catch((error): ExecutionResult => ({ errors: [asGraphQLError(error)] })); // thrown, it would end the socket
  metrics.countOperation(name, result.errors ? 'errors' : 'ok');
  return result;
}

/** The operation's name is an attribute: clients choose it, so as a span's name it would be one of many. */
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

/** The context that `prepareExecution` made, out of what a library hands back. */
export function contextOf(args: ExecutionArgs): Context {
  return (args as Execution).contextValue;
}

/** A result as a client gets it: with coded errors, and with the time of what the operation wrote. */
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
