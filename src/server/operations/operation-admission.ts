/**
 * Every operation passes here before it is executed, whatever its transport: HTTP, socket or event stream. The text is bounded, parsed
 * and validated, and its cost prepared once; the result is kept in a bounded cache. Each request adds the check of its variables.
 */

import { hash } from 'node:crypto';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.js';
import { InputError, LimitError, SextantError } from '../../shared/errors.js';
import { OperationRejected, toGraphQLError, tooManyFaults, withCode } from '../request/failure.js';
import type { Variables } from '../request/parameters.js';
import { placeOf, placeVariables } from '../request/variable-place.js';
import { prepareCost } from './operation-cost.js';
import { requireReadable, requireShape } from './operation-limits.js';
import { asksForSecret } from './secret-field.js';
import { UnconditionalSubscriptionsRule } from './subscription-rule.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** Validation stops here, so that a document full of errors gets a short response. */
const VALIDATION_ERRORS_MAX = 5;
const VARIABLES_NESTING_MAX = 32;
/** Approximate memory of a parsed token, with its node and its source location. */
const TOKEN_BYTES = 512;
const CACHE_BOUNDS = { max: 1000, maxSize: 4_000_000 }; // by the length of the texts

/** An operation as sent by a client. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Variables | null | undefined;
}

/** An operation that may be executed. */
export interface AdmittedOperation {
  readonly document: DocumentNode;
  /** Its estimated size in memory. Requests with the same text share one document while it is cached. */
  readonly documentBytes: number;
  readonly definition: OperationDefinitionNode;
  /** Estimated cost, in points. */
  readonly cost: number;
  /** Whether the response may contain a secret: then it is not compressed. */
  readonly asksForSecret: boolean;
}

interface PreparedOperation {
  readonly definition: OperationDefinitionNode;
  readonly cost: (variables: Variables) => number;
}

interface PreparedDocument {
  readonly document: DocumentNode;
  readonly documentBytes: number;
  /** In the order of the text. */
  readonly operations: readonly PreparedOperation[];
  readonly asksForSecret: boolean;
}

export class OperationAdmission {
  readonly #prepared = new LRUCache<string, PreparedDocument>(CACHE_BOUNDS);
  readonly #admitted = new WeakSet<DocumentNode>();

  readonly #schema: GraphQLSchema;
  readonly #config: Config;
  readonly #trusted: TrustedDocuments | null;

  constructor(schema: GraphQLSchema, config: Config, trusted: TrustedDocuments | null = null) {
    this.#schema = schema;
    this.#config = config;
    this.#trusted = trusted;
  }

  /** For metrics. */
  get cache(): { readonly size: number; readonly calculatedSize: number } {
    return this.#prepared;
  }

  /** The document of a recently admitted text. @param key the text's SHA-256 as hexadecimal digits */
  find(key: string): DocumentNode | undefined {
    return this.#prepared.get(key)?.document;
  }

  /** The text of a trusted document. @param id the text's SHA-256 as hexadecimal digits */
  trustedText(id: string): string | undefined {
    return this.#trusted?.textOf(id);
  }

  /** Whether it was admitted here. Guards every path by which a document may reach its execution. */
  knows(document: DocumentNode): boolean {
    return this.#admitted.has(document);
  }

  /** @throws OperationRejected */
  admit({ query, operationName, variables }: OperationRequest): AdmittedOperation {
    try {
      const { document, documentBytes, operations, asksForSecret } = this.#prepare(query);
      const { definition, cost } = choose(operations, operationName);
      const given = variables ?? {};
      requireWellFormedVariables(definition, given);
      const points = cost(given);
      if (points > this.#config.MAX_COST)
        throw new LimitError(
          `The operation's estimated cost is ${points}; at most ${this.#config.MAX_COST} is allowed`,
          this.#config.MAX_COST,
          { cost: points },
        );
      return { document, documentBytes, definition, cost: points, asksForSecret };
    } catch (error) {
      if (error instanceof SextantError) throw new OperationRejected([toGraphQLError(error)]);
      throw error;
    }
  }

  #prepare(text: string): PreparedDocument {
    const key = hash('sha256', text);
    const known = this.#prepared.get(key);
    if (known) return known;
    const { document, tokens } = parseWithin(text, this.#config);
    if (this.#trusted && !this.#trusted.includes(document))
      throw new SextantError('FORBIDDEN', 'This server accepts only trusted documents');
    this.#requireValid(document);
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
    }
    const operations = document.definitions
      .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      .map((definition) => ({ definition, cost: prepareCost(this.#schema, definition, fragments) }));
    for (const { definition } of operations) placeVariables(definition, document.definitions);
    const documentBytes = text.length + tokens * TOKEN_BYTES;
    const prepared = { document, documentBytes, operations, asksForSecret: asksForSecret(this.#schema, document) };
    this.#prepared.set(key, prepared, { size: text.length });
    this.#admitted.add(document);
    return prepared;
  }

  /** @throws OperationRejected */
  #requireValid(document: DocumentNode): void {
    const options = { maxErrors: VALIDATION_ERRORS_MAX, hideSuggestions: this.#config.NODE_ENV === 'production' };
    const rules = this.#config.INTROSPECTION ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    // Conditions on subscriptions first: one of the rules evaluates them without variables, and throws.
    for (const some of [[UnconditionalSubscriptionsRule], rules]) {
      const errors = validate(this.#schema, document, some, options);
      if (errors.length === 0) continue;
      const faults = errors.slice(0, VALIDATION_ERRORS_MAX).map(withCode('GRAPHQL_VALIDATION_FAILED'));
      if (errors.length > faults.length) faults.push(toGraphQLError(tooManyFaults('operation', VALIDATION_ERRORS_MAX)));
      throw new OperationRejected(faults);
    }
  }
}

/** @throws LimitError @throws OperationRejected it cannot be parsed */
function parseWithin(text: string, config: Config): { readonly document: DocumentNode; readonly tokens: number } {
  try {
    const tokens = requireReadable(text, config.MAX_TOKENS);
    const document = parse(text);
    requireShape(document, { tokens: config.MAX_TOKENS, depth: config.MAX_DEPTH, aliases: config.MAX_ALIASES });
    return { document, tokens };
  } catch (error) {
    if (error instanceof GraphQLError) throw new OperationRejected([withCode('GRAPHQL_PARSE_FAILED')(error)]);
    throw error;
  }
}

/** @throws SextantError BAD_REQUEST when the choice is ambiguous */
function choose(operations: readonly PreparedOperation[], name: string | null | undefined): PreparedOperation {
  const [first, second] = operations;
  if (name) {
    const named = operations.find(({ definition }) => definition.name?.value === name);
    if (named) return named;
    throw new SextantError('BAD_REQUEST', `The document has no operation named ${JSON.stringify(name.slice(0, 100))}`);
  }
  if (!first) throw new SextantError('BAD_REQUEST', 'The document has no operation');
  if (second)
    throw new SextantError('BAD_REQUEST', 'The document has several operations: choose one with `operationName`');
  return first;
}

/** @throws InputError @throws LimitError too deep */
function requireWellFormedVariables({ variableDefinitions = [] }: OperationDefinitionNode, given: Variables): void {
  for (const [name, value] of Object.entries(given)) {
    const definition = variableDefinitions.find(({ variable }) => variable.name.value === name);
    requireWellFormed(definition ? placeOf(definition) : name, value, VARIABLES_NESTING_MAX - 1);
  }
}

/** A lone surrogate is not valid text: it cannot be encoded as UTF-8. @throws InputError @throws LimitError too deep */
function requireWellFormed(field: string, value: unknown, nestingMax: number): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new InputError(field, 'must be well-formed Unicode text');
  } else if (typeof value === 'object' && value !== null) {
    if (nestingMax === 0)
      throw new LimitError(`The variables are more than ${VARIABLES_NESTING_MAX} deep`, VARIABLES_NESTING_MAX);
    for (const [key, item] of Object.entries(value)) requireWellFormed(`${field}.${key}`, item, nestingMax - 1);
  }
}
