/**
 * The estimated cost of an operation, from `@cost`, `@listSize` and `@chartCost` of the schema, known before execution. A field costs
 * its weight, plus the cost of its slots if it is a chart, plus the cost of its selections times the maximum length of its list.
 */
import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { LimitError } from '../../shared/errors.js';
import type { Variables } from '../request/parameters.js';
import { prepareChartCost } from './chart-cost.js';
import { directiveOf, intOf, textOf } from './cost-directive.js';

/** A constant, or a function of the variables. */
type Estimate = number | ((variables: Variables) => number);

/**
 * Prepares the estimate of a valid operation, so that each request computes only what depends on its variables.
 * @returns points. @throws LimitError a list argument exceeds its bound; the returned function throws it, too
 */
export function prepareCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): (variables: Variables) => number {
  const root = schema.getRootType(operation.operation);
  if (!root) return () => 0; // rejected by the execution
  const defaults = Object.fromEntries(
    (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
  const estimate = new Estimator(schema, fragments).ofSelections(operation.selectionSet, root);
  return typeof estimate === 'number' ? () => estimate : (variables) => estimate({ ...defaults, ...variables });
}

class Estimator {
  readonly #ofFragment = new Map<string, Estimate>(); // a fragment has its own type, so it costs the same wherever it is spread

  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  ofSelections(set: SelectionSetNode, parent: GraphQLCompositeType): Estimate {
    return sum(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return this.#ofField(selection, parent);
        if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#ofSpread(selection.name.value);
        return this.ofSelections(
          selection.selectionSet,
          this.#typeNamed(selection.typeCondition?.name.value) ?? parent,
        );
      }),
    );
  }

  #ofSpread(name: string): Estimate {
    const known = this.#ofFragment.get(name);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    const type = this.#typeNamed(fragment?.typeCondition.name.value);
    const estimate = fragment && type ? this.ofSelections(fragment.selectionSet, type) : 0;
    this.#ofFragment.set(name, estimate);
    return estimate;
  }

  #ofField(node: FieldNode, parent: GraphQLCompositeType): Estimate {
    if (!isObjectType(parent) && !isInterfaceType(parent)) return 0; // a union has only `__typename`
    const field = parent.getFields()[node.name.value];
    if (!field) return 0; // introspection: bounded by its own rule
    const type = getNamedType(field.type);
    const weight = intOf(directiveOf(field, 'cost'), 'weight') ?? (isCompositeType(type) ? 1 : 0);
    const chart = prepareChartCost(field, node) ?? 0;
    const size = listSize(field, node);
    const below = node.selectionSet && isCompositeType(type) ? this.ofSelections(node.selectionSet, type) : 0;
    return sum([weight, chart, product(size, below)]);
  }

  #typeNamed(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

/** The maximum length of the list. 1 for fields without `@listSize`. @throws LimitError */
function listSize(field: GraphQLField<unknown, unknown>, node: FieldNode): Estimate {
  const bound = directiveOf(field, 'listSize');
  const max = intOf(bound, 'max');
  if (max === undefined) return 1;
  const name = textOf(bound, 'argument');
  if (name === undefined) return max;
  const given = node.arguments?.find((argument) => argument.name.value === name);
  const fallback = field.args.find((argument) => argument.name === name)?.defaultValue;
  const within = (value: unknown): number => requireWithin(field.name, name, value ?? fallback, max);
  return sizeOf(given, within);
}

function sizeOf(given: ArgumentNode | undefined, within: (value: unknown) => number): Estimate {
  const value = given?.value;
  if (value?.kind === Kind.VARIABLE) return (variables) => within(variables[value.name.value]);
  return within(value?.kind === Kind.INT ? Number(value.value) : undefined);
}

/** @returns the bound itself for a value that is not a number: the resolver rejects it */
function requireWithin(field: string, argument: string, value: unknown, max: number): number {
  if (typeof value !== 'number') return max;
  if (value > max)
    throw new LimitError(`${field}(${argument}:) is ${value}; at most ${max} are allowed`, max, { field: argument });
  return Math.max(0, value);
}

function sum(parts: readonly Estimate[]): Estimate {
  const fixed = parts.reduce<number>((total, part) => total + (typeof part === 'number' ? part : 0), 0);
  const varying = parts.filter((part) => typeof part === 'function');
  if (varying.length === 0) return fixed;
  return (variables) => varying.reduce((total, part) => total + part(variables), fixed);
}

function product(left: Estimate, right: Estimate): Estimate {
  if (typeof left === 'number' && typeof right === 'number') return left * right;
  return (variables) => numberFor(left, variables) * numberFor(right, variables);
}

const numberFor = (estimate: Estimate, variables: Variables): number =>
  typeof estimate === 'number' ? estimate : estimate(variables);
