/** Reads the schema directives that define the cost of a field. */
import { type DirectiveNode, type GraphQLField, Kind, type ValueNode } from 'graphql';

export const directiveOf = (field: GraphQLField<unknown, unknown>, name: string): DirectiveNode | undefined =>
  field.astNode?.directives?.find((node) => node.name.value === name);

export function intOf(node: DirectiveNode | undefined, argument: string): number | undefined {
  const value = argumentOf(node, argument);
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
}

export function textOf(node: DirectiveNode | undefined, argument: string): string | undefined {
  const value = argumentOf(node, argument);
  return value?.kind === Kind.STRING ? value.value : undefined;
}

const argumentOf = (node: DirectiveNode | undefined, argument: string): ValueNode | undefined =>
  node?.arguments?.find((each) => each.name.value === argument)?.value;
