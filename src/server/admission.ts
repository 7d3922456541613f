/** The operation of a request over HTTP: its text is found, also by its hash alone, and admitted. */
import { hash } from 'node:crypto';
import { OperationTypeNode } from 'graphql';
import { SextantError } from '../shared/errors.js';
import { BoundedCache } from './bounded-cache.js';
import { toGraphQLError } from './failure.js';
import { type AdmittedOperation, type OperationDesk, OperationRefused } from './operation.js';
import type { Parameters } from './parameters.js';

/** Persisted queries: texts that clients have registered, by their SHA-256. */
const PERSISTED_BOUNDS = { entriesMax: 2000, sizeMax: 8_000_000 };

export class Admission {
  readonly texts: PersistedTexts;

  constructor(private readonly desk: OperationDesk) {
    this.texts = new PersistedTexts(desk);
  }

  /** @returns undefined for what cannot be read as an operation at all: Apollo says what is wrong with it @throws OperationRefused */
  admit(parameters: Parameters | null): AdmittedOperation | undefined {
    if (!parameters) return undefined;
    const { persistedQuery } = parameters;
    if (persistedQuery && persistedQuery.version !== 1) refuse('Persisted queries are of version 1 here');
    const query = parameters.query ?? (persistedQuery && this.texts.find(String(persistedQuery.sha256Hash)));
    if (query === undefined) return undefined;
    if (persistedQuery && persistedQuery.sha256Hash !== hash('sha256', query))
      refuse('The persisted query’s hash is not the SHA-256 of its text');
    const admitted = this.desk.admit({ ...parameters, query });
    if (admitted.definition.operation === OperationTypeNode.SUBSCRIPTION)
      refuse('Subscriptions are followed on a socket at /graphql, or as an event stream at /graphql/stream');
    return admitted;
  }
}

function refuse(message: string): never {
  throw new OperationRefused([toGraphQLError(new SextantError('BAD_REQUEST', message))]);
}

/** What Apollo writes before a hash. */
const PERSISTED_PREFIX = 'apq:';

/** Texts by their hash: those of trusted documents, and those that clients have registered. As Apollo wants to ask for them. */
export class PersistedTexts {
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
