/**
 * Identical subscriptions share one execution and one serialization per event: a cohort. Subscriptions are identical when text,
 * operation, variables and viewer are; the position from which one is resumed (`after`) does not affect how an event is rendered.
 */
import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Follow } from '../../realtime/index.js';
import { LimitError } from '../../shared/errors.js';
import { executeOnEvent } from './event-execution.js';
import { type Execution, toClientResult } from './execution.js';
import { PerOperation } from './per-operation.js';

/** One event; a chart with all its points has 3 MB. Clients cannot receive it in parts, so the server must hold it whole. */
const MESSAGE_BYTES_MAX = 16_777_216;
const LATEST_MS = 1000;

/** JSON in UTF-8. A promise only if a resolver is asynchronous. */
type Payload = Buffer | Promise<Buffer>;

/** Returned by the `subscribe` of resolvers: a feed's events. */
export type Source = Follow<unknown, unknown>;

/** @returns the source of events, or a result with errors */
export async function openSource(execution: ExecutionArgs): Promise<Source | ExecutionResult> {
  return (await createSourceEventStream(execution)) as Source | ExecutionResult;
}

export function isSource(opened: unknown): opened is Source {
  return typeof opened === 'object' && opened !== null && 'attach' in opened;
}

export class Cohorts {
  readonly #cohorts = new Map<string, Cohort>();
  readonly #log: FastifyBaseLogger;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /** The cohort of identical subscriptions. Call `leave` on it when the subscription ends. */
  join(execution: Execution): Cohort {
    const key = cohortKey(execution);
    let cohort = this.#cohorts.get(key);
    if (!cohort) {
      cohort = new Cohort(execution, this.#log, () => this.#cohorts.delete(key));
      this.#cohorts.set(key, cohort);
    }
    cohort.join();
    return cohort;
  }
}

/** Subscriptions that get the same bytes. */
export class Cohort {
  /** Execution of the first member. */
  readonly execution: Execution;
  readonly #log: FastifyBaseLogger;
  readonly #onEmpty: () => void;
  /** By event: all members that are current get the same object, which lives while the hub delivers it. */
  readonly #payloads = new WeakMap<object, Payload>();
  #members = 0;

  constructor(execution: Execution, log: FastifyBaseLogger, onEmpty: () => void) {
    this.execution = execution;
    this.#log = log;
    this.#onEmpty = onEmpty;
  }

  join(): void {
    this.#members += 1;
  }

  leave(): void {
    this.#members -= 1;
    if (this.#members === 0) this.#onEmpty();
  }

  /** The result of the operation for an event. @throws LimitError it is too large for one message */
  payloadOf(event: object): Payload {
    const known = latest.find(event, this);
    if (known) return known;
    let payload = this.#payloads.get(event);
    if (!payload) {
      payload = this.#render(event);
      this.#payloads.set(event, payload);
    }
    latest.keep(event, this, payload);
    return payload;
  }

  #render(event: object): Payload {
    const result = executeOnEvent(this.execution, event);
    return result instanceof Promise ? result.then((value) => this.#serialize(value)) : this.#serialize(result);
  }

  #serialize(result: ExecutionResult): Buffer {
    const payload = Buffer.from(JSON.stringify(toClientResult(result, this.execution.contextValue, this.#log)));
    if (payload.length > MESSAGE_BYTES_MAX)
      throw new LimitError(
        `An event of the subscription has ${payload.length} bytes: ask for fewer fields or a shorter range`,
        MESSAGE_BYTES_MAX,
      );
    return payload;
  }
}

/** The payload being written to one subscriber after the other: one per process, kept only briefly. */
class LatestPayload {
  #latest: { readonly event: object; readonly cohort: Cohort; readonly payload: Payload } | null = null;
  #forgetting = false;

  find(event: object, cohort: Cohort): Payload | undefined {
    return this.#latest?.event === event && this.#latest.cohort === cohort ? this.#latest.payload : undefined;
  }

  keep(event: object, cohort: Cohort, payload: Payload): void {
    this.#latest = { event, cohort, payload };
    if (this.#forgetting) return;
    this.#forgetting = true;
    setTimeout(() => {
      this.#latest = null;
      this.#forgetting = false;
    }, LATEST_MS).unref();
  }
}

const latest = new LatestPayload();

const resumptions = new PerOperation<string | null>();

function cohortKey({ document, text, operationName, variableValues, contextValue }: Execution): string {
  const resumption = resumptions.get(document, operationName, () => findResumption(document, operationName));
  const asked = Object.entries(variableValues ?? {}).filter(([name]) => name !== resumption);
  const { id, roles, scopes } = contextValue.viewer;
  return hash('sha256', JSON.stringify([text, operationName, asked.sort(), id, roles, scopes]), 'base64');
}

/** The variable used only once in the document, as the argument `after` of the subscription's field; otherwise null. */
function findResumption(document: DocumentNode, operationName: string | null | undefined): string | null {
  const operation = document.definitions.find(
    (each): each is OperationDefinitionNode =>
      each.kind === Kind.OPERATION_DEFINITION && (!operationName || each.name?.value === operationName),
  );
  const [field] = operation?.selectionSet.selections ?? [];
  if (field?.kind !== Kind.FIELD) return null;
  const value = field.arguments?.find(({ name }) => name.value === 'after')?.value;
  if (value?.kind !== Kind.VARIABLE) return null;
  let uses = 0;
  visit(document, {
    enter: (node) => {
      if (node.kind === Kind.VARIABLE_DEFINITION) return false;
      if (node.kind === Kind.VARIABLE && node.name.value === value.name.value) uses += 1;
      return undefined;
    },
  });
  return uses === 1 ? value.name.value : null;
}
