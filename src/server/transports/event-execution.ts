/**
 * Runs a subscription's selection on its events: with graphql-js at first, and with a function compiled by graphql-jit once it has run
 * often. The function does not walk the document, which took a sixth of the cost of a message with a thousand charts.
 */
import { type ExecutionResult, execute } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Execution } from './execution.js';
import { PerOperation } from './per-operation.js';

type Result = ExecutionResult | Promise<ExecutionResult>;

interface Selection {
  runs: number;
  compiling: boolean;
  compiled: CompiledQuery['query'] | null;
}

/** Compiling takes as long as some hundred runs: a subscription with few events never pays for it. */
const RUNS_BEFORE_COMPILING = 100;
/** A single run takes this long for a chart with tens of thousands of points. */
const LONG_RUN_MS = 10;
const selections = new PerOperation<Selection>();

/** The operation's result for an event. A promise only if a resolver is asynchronous. */
export function executeOnEvent(execution: Execution, event: object): Result {
  const { document, operationName, contextValue, variableValues } = execution;
  const selection = selections.get(document, operationName, () => ({ runs: 0, compiling: false, compiled: null }));
  // Resolvers of events only read, so after errors graphql-js runs again, and the errors are exactly its own.
  const interpret = () => execute({ ...execution, rootValue: event }) as Result;
  if (!selection.compiled) {
    selection.runs += 1;
    const begin = performance.now();
    const result = interpret();
    if (selection.runs >= RUNS_BEFORE_COMPILING || performance.now() - begin > LONG_RUN_MS)
      startCompiling(execution, selection);
    return result;
  }
  const result = selection.compiled(event, contextValue, variableValues) as Result;
  return result instanceof Promise
    ? result.then((settled) => (settled.errors ? interpret() : settled))
    : result.errors
      ? interpret()
      : result;
}

function startCompiling(execution: Execution, selection: Selection): void {
  if (selection.compiling) return;
  selection.compiling = true; // permanently: a selection that cannot be compiled is not retried
  compile(execution, selection).catch(() => undefined);
}

/** Loaded on first use, so the server starts without it. Selections that it cannot compile stay with graphql-js. */
async function compile({ schema, document, operationName }: Execution, selection: Selection): Promise<void> {
  const { compileQuery, isCompiledQuery } = await import('graphql-jit');
  const compiled = compileQuery(schema, document, operationName ?? '', { disablingCapturingStackErrors: true });
  if (isCompiledQuery(compiled)) selection.compiled = compiled.query.bind(compiled);
}
