/** Calls derived from the schema: additions to it are attacked automatically. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
} from 'graphql';

export type RootType = 'query' | 'mutation' | 'subscription';

/** An operation whose arguments are variables. */
export interface Call {
  /** For example `Query.logImports.edges.node.rejects`. */
  readonly name: string;
  readonly root: RootType;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The arguments of the call's last field. */
  readonly args: readonly GraphQLArgument[];
  /** The variable of an argument. */
  variableOf(argument: string): string;
}

/** Values that exist in the tests' database, by the argument's or field's name; otherwise by type. */
export type Samples = Readonly<Record<string, unknown>>;

const byType: Samples = {
  String: 'text',
  ID: 'no id',
  Int: 1,
  SafeInt: 1,
  Boolean: false,
  DateTime: '2026-01-05T00:00:00.000Z',
  LocalDate: '1971-11-08',
  Duration: 'PT1H',
  Float: 1,
  EmailAddress: 'nobody@example.org',
};

/** @returns a valid value of the type, without optional parts */
export function sampleOf(type: GraphQLInputType, name: string, samples: Samples): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [sampleOf(nullable.ofType, name, samples)];
  if (name in samples) return samples[name];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (isInputObjectType(nullable)) {
    const needed = Object.values(nullable.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(needed.map((field) => [field.name, sampleOf(field.type, field.name, samples)]));
  }
  return byType[nullable.name] ?? null;
}

interface Step {
  readonly field: GraphQLField<unknown, unknown>;
  /** The type to select the field in, when the previous step returns another type. */
  readonly on: string | null;
}

/** A call of every field with arguments, by the shortest path from a root, except fields that take files. */
export function callsOf(schema: GraphQLSchema, samples: Samples): Call[] {
  const calls: Call[] = [];
  for (const root of ['query', 'mutation', 'subscription'] as const) {
    const type = schema.getRootType(root as never);
    if (type) calls.push(...callsBelow(schema, root, type, samples));
  }
  return calls;
}

function callsBelow(schema: GraphQLSchema, root: RootType, start: GraphQLObjectType, samples: Samples): Call[] {
  const calls: Call[] = [];
  const seen = new Set<string>([start.name]);
  const queue: { type: GraphQLObjectType; path: readonly Step[] }[] = [{ type: start, path: [] }];
  for (const { type, path } of queue) {
    // grows while it is iterated
    for (const field of Object.values(type.getFields())) {
      if (takesFile(field)) continue;
      const on =
        path.length > 0 && !isObjectType(getNamedType(path.at(-1)?.field.type as GraphQLOutputType)) ? type.name : null;
      const steps = [...path, { field, on }];
      if (field.args.length > 0) calls.push(callOf(root, start.name, steps, samples));
      if (root !== 'query') continue; // deeper fields are reached by queries
      for (const below of objectsOf(schema, field.type)) {
        if (seen.has(below.name)) continue;
        seen.add(below.name);
        queue.push({ type: below, path: steps });
      }
    }
  }
  return calls;
}

function objectsOf(schema: GraphQLSchema, type: GraphQLOutputType): readonly GraphQLObjectType[] {
  const named = getNamedType(type);
  if (isObjectType(named)) return [named];
  return isInterfaceType(named) ? schema.getPossibleTypes(named) : [];
}

const takesFile = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ type }) => getNamedType(type).name === 'Upload');

function callOf(root: RootType, rootName: string, steps: readonly Step[], samples: Samples): Call {
  const last = steps.at(-1) as Step;
  const declared: string[] = [];
  const variables: Record<string, unknown> = {};
  const selections = steps.map(({ field, on }, index) => {
    const isLast = index === steps.length - 1;
    const used = field.args.filter((argument) => isLast || isRequiredArgument(argument));
    const args = used.map((argument) => {
      const name = `v${index}_${argument.name}`;
      declared.push(`$${name}: ${argument.type}`);
      if (isNonNullType(argument.type)) variables[name] = sampleOf(argument.type, argument.name, samples);
      return `${argument.name}: $${name}`;
    });
    const text = `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}`;
    return { text: on ? `... on ${on} { ${text}` : text, closing: on ? ' }' : '' };
  });
  const leaf = isCompositeType(getNamedType(last.field.type)) ? ' { __typename }' : '';
  const body = selections.reduceRight(
    (below, { text, closing }) => `${text}${below === '' ? leaf : ` { ${below} }`}${closing}`,
    '',
  );
  return {
    name: [rootName, ...steps.map(({ field }) => field.name)].join('.'),
    root,
    query: `${root} Call${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${body} }`,
    variables,
    args: last.field.args,
    variableOf: (argument) => `v${steps.length - 1}_${argument}`,
  };
}

/** A place for a value, inside the arguments of a call. */
export interface ValuePlace {
  readonly path: readonly string[];
  /** The expected scalar or enum. */
  readonly type: string;
  /** The call's variables with this value there. */
  with(value: unknown): Readonly<Record<string, unknown>>;
}

const NUMBERS = ['Int', 'SafeInt', 'Float'];
const NO_TEXTS = [...NUMBERS, 'Boolean', 'Upload'];

/** Every place for a text, including input objects. Custom scalars are texts too, except numbers and files. */
export const textPlacesOf = (call: Call, samples: Samples): ValuePlace[] =>
  placesOf(call, samples).filter(({ type }) => !NO_TEXTS.includes(type));

/** Every place for a number, including input objects. */
export const numberPlacesOf = (call: Call, samples: Samples): ValuePlace[] =>
  placesOf(call, samples).filter(({ type }) => NUMBERS.includes(type));

export function placesOf(call: Call, samples: Samples): ValuePlace[] {
  return call.args.flatMap((argument) =>
    placesIn(argument, samples).map(({ path, type, make }) => ({
      path: [argument.name, ...path],
      type,
      with: (value) => ({ ...call.variables, [call.variableOf(argument.name)]: make(value) }),
    })),
  );
}

interface Place {
  readonly path: readonly string[];
  readonly type: string;
  readonly make: (value: unknown) => unknown;
}

function placesIn({ type, name }: GraphQLArgument | GraphQLInputField, samples: Samples): Place[] {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const inner = { type: nullable.ofType, name } as GraphQLInputField;
    return placesIn(inner, samples).map((place) => ({ ...place, make: (value) => [place.make(value)] }));
  }
  if (isScalarType(nullable) || isEnumType(nullable))
    return [{ path: [], type: nullable.name, make: (value) => value }];
  const usual = sampleOf(nullable, '', samples) as object;
  return Object.values(nullable.getFields()).flatMap((field) =>
    placesIn(field, samples).map((place) => ({
      ...place,
      path: [field.name, ...place.path],
      make: (value) => ({ ...usual, [field.name]: place.make(value) }),
    })),
  );
}
