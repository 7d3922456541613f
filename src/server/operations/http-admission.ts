/** The operation of an HTTP request: finds its text, possibly by hash alone, and admits it. */

import { hash } from 'node:crypto';
import { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { SextantError } from '../../shared/errors.js';
import { OperationRejected, toGraphQLError } from '../request/failure.js';
import type { Parameters } from '../request/parameters.js';
import type { AdmittedOperation, OperationAdmission } from './operation-admission.js';

/** Persisted queries: texts registered by clients, by their SHA-256. */
const PERSISTED_BOUNDS = { max: 2000, maxSize: 8_000_000 };

export class HttpAdmission {
  readonly texts: PersistedTexts;

  readonly #admission: OperationAdmission;

  constructor(admission: OperationAdmission) {
    this.#admission = admission;
    this.texts = new PersistedTexts(admission);
  }

  /** @returns undefined for a request that is not readable as an operation: Apollo reports the problem @throws OperationRejected */
  admit(parameters: Parameters | null): AdmittedOperation | undefined {
    if (!parameters) return undefined;
    const { persistedQuery } = parameters;
    if (persistedQuery && persistedQuery.version !== 1) refuse('Persisted queries must have version 1');
    const query = parameters.query ?? (persistedQuery && this.texts.find(String(persistedQuery.sha256Hash)));
    if (query === undefined) return undefined;
    if (persistedQuery && persistedQuery.sha256Hash !== hash('sha256', query))
      refuse('The hash of the persisted query is not the SHA-256 of its text');
    const admitted = this.#admission.admit({ ...parameters, query });
    if (admitted.definition.operation === OperationTypeNode.SUBSCRIPTION)
      refuse('Subscriptions require a WebSocket at /graphql, or an event stream at /graphql/stream');
    return admitted;
  }
}

function refuse(message: string): never {
  throw new OperationRejected([toGraphQLError(new SextantError('BAD_REQUEST', message))]);
}

/** Apollo's prefix of a hash. */
const PERSISTED_PREFIX = 'apq:';

/** Texts by hash: trusted documents, and texts registered by clients. Implements Apollo's cache interface. */
export class PersistedTexts {
  readonly #registered = new LRUCache<string, string>(PERSISTED_BOUNDS);

  readonly #admission: OperationAdmission;

  constructor(admission: OperationAdmission) {
    this.#admission = admission;
  }

  find(hash: string): string | undefined {
    return this.#admission.trustedText(hash) ?? this.#registered.get(hash);
  }

  async get(key: string): Promise<string | undefined> {
    return this.find(key.slice(PERSISTED_PREFIX.length));
  }

  async set(key: string, text: string): Promise<void> {
    this.#registered.set(key.slice(PERSISTED_PREFIX.length), text, { size: text.length });
  }

  async delete(key: string): Promise<boolean> {
    return this.#registered.delete(key.slice(PERSISTED_PREFIX.length));
  }
}
