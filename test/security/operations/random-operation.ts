/** Random operations generated from a schema: valid and nearly valid ones. */
import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isUnionType,
} from 'graphql';
import { type Samples, sampleOf } from './schema-walk.js';

export interface RandomOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const DEPTH_MAX = 7;
const FIELDS_MAX = 4;

const oddTexts = [
  '',
  ' ',
  '\u0000',
  '{"$gt":""}',
  '$where',
  'a.b',
  '__proto__',
  'x'.repeat(300),
  '\ud800',
  '1',
  'null',
];
const oddValues: readonly unknown[] = [
  ...oddTexts,
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  [],
  {},
  [[]],
  { a: 1 },
];
/** Mutations that make a text nearly valid GraphQL. */
const snippets = [
  '{',
  '}',
  '(',
  ')',
  '$',
  '@skip(if: true)',
  '@include(if: $v0)',
  '...',
  '"',
  '"""',
  '#',
  ':',
  '!',
  '\u0000',
  '__typename',
  'on',
  'null',
  '[[[[',
];

/** The generator's choices: every choice can be shrunk when a run fails. */
type Choose = fc.GeneratorValue;

export function randomOperation(schema: GraphQLSchema, samples: Samples, choose: Choose): RandomOperation {
  return new Maker(schema, samples, choose).make();
}

class Maker {
  readonly #declared: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  readonly #fragments: string[] = [];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly samples: Samples,
    private readonly choose: Choose,
  ) {}

  /** A mutation has one field: the capture would take the writes of several fields for those of one operation. */
  make(): RandomOperation {
    const kind = this.#pick(['query', 'query', 'query', 'mutation', 'subscription'] as const);
    const root = this.schema.getRootType(kind as never);
    if (!root) return { query: `{ ${kind} }`, variables: {} };
    const body = this.#selections(root, DEPTH_MAX, kind === 'query' ? FIELDS_MAX : 1);
    const declared = this.#declared.length > 0 ? `(${this.#declared.join(', ')})` : '';
    const text = [`${kind} Random${declared} ${body}`, ...this.#fragments].join('\n');
    return { query: this.#oneIn(5) ? this.#damage(text) : text, variables: this.#variables };
  }

  #below(bound: number): number {
    return this.choose(fc.nat, { max: bound - 1 });
  }
  #oneIn(times: number): boolean {
    return this.#below(times) === times - 1; // smaller choices make simpler operations
  }
  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T;
  }

  #selections(type: GraphQLCompositeType, depth: number, fieldsMax: number): string {
    const parts = Array.from({ length: 1 + this.#below(fieldsMax) }, () => this.#selection(type, depth));
    return `{ ${parts.join(' ')} }`;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const others = isUnionType(type) || 'resolveType' in type ? this.schema.getPossibleTypes(type as never) : [];
    if (others.length > 0 && (isUnionType(type) || this.#oneIn(2))) {
      const one = this.#pick(others);
      return `... on ${one.name} ${this.#selections(one, depth - 1, FIELDS_MAX)}`;
    }
    if (this.#oneIn(12)) return this.#spread(type, depth);
    if (isUnionType(type) || this.#oneIn(15)) return '__typename';
    const fields = Object.values(type.getFields()).filter(
      (field) => depth > 1 || !isCompositeType(getNamedType(field.type)),
    );
    return fields.length > 0 ? this.#field(this.#pick(fields), depth) : '__typename';
  }

  #spread(type: GraphQLCompositeType, depth: number): string {
    const name = `f${this.#fragments.length}`;
    this.#fragments.push('');
    const at = this.#fragments.length - 1;
    this.#fragments[at] =
      `fragment ${name} on ${type.name} ${this.#selections(type, depth - 1, depth === DEPTH_MAX ? 1 : 2)}`;
    return `...${name}`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const alias = this.#oneIn(4) ? `a${this.#below(40)}: ` : '';
    const args = field.args.filter((argument) => isNonNullType(argument.type) || this.#oneIn(2));
    const given = args.map((argument) => `${argument.name}: ${this.#argument(argument)}`);
    const directive = this.#oneIn(12) ? ` @${this.#pick(['skip', 'include'])}(if: ${this.#oneIn(2)})` : '';
    const type = getNamedType(field.type);
    const below = isCompositeType(type) ? ` ${this.#selections(type, depth - 1, FIELDS_MAX)}` : '';
    return `${alias}${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${directive}${below}`;
  }

  #argument({ type, name }: GraphQLArgument): string {
    const value = this.#value(type, name);
    if (this.#oneIn(3)) return literal(value, type);
    const variable = `v${this.#declared.length}`;
    this.#declared.push(`$${variable}: ${type}`);
    this.#variables[variable] = value;
    return `$${variable}`;
  }

  #value(type: GraphQLInputType, name: string): unknown {
    if (this.#oneIn(8)) return this.#pick(oddValues);
    const nullable = getNullableType(type);
    if (nullable === type && this.#oneIn(6)) return null;
    if (isListType(nullable)) return Array.from({ length: this.#below(4) }, () => this.#value(nullable.ofType, name));
    if (isEnumType(nullable)) return this.#pick(nullable.getValues()).name;
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields()).filter((field) => isNonNullType(field.type) || this.#oneIn(2));
      return Object.fromEntries(fields.map((field) => [field.name, this.#value(field.type, field.name)]));
    }
    if (nullable.name === 'Int' || nullable.name === 'SafeInt') return this.#pick([1, 2, 10, 100, 500, 10_000, -1]);
    if (nullable.name === 'Boolean') return this.#oneIn(2);
    return sampleOf(type, name, this.samples);
  }

  /** A piece removed, repeated, or inserted where it does not belong. */
  #damage(text: string): string {
    const at = this.#below(text.length);
    const length = 1 + this.#below(12);
    const piece = text.slice(at, at + length);
    return this.#pick([
      () => text.slice(0, at) + text.slice(at + length),
      () => text.slice(0, at) + piece + text.slice(at),
      () => text.slice(0, at) + this.#pick(snippets) + text.slice(at),
      () => text.slice(0, at) + this.#pick(snippets).repeat(1 + this.#below(500)) + text.slice(at),
    ])();
  }
}

/** A value as a GraphQL literal. Enum names have no quotes. */
function literal(value: unknown, type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (Array.isArray(value)) {
    const inner = isListType(nullable) ? nullable.ofType : type;
    return `[${value.map((item) => literal(item, inner)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
    const parts = Object.entries(value).map(([name, item]) => `${name}: ${literal(item, fields[name]?.type ?? type)}`);
    return `{${parts.join(', ')}}`;
  }
  return isEnumType(nullable) && typeof value === 'string' && /^\w+$/.test(value) ? value : JSON.stringify(value);
}
