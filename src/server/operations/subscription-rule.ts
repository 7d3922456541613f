/**
 * The root field of a subscription must not be conditional: `@skip` and `@include` are rejected on it, as the specification requires
 * since 2025. graphql-js 16 accepts them and then fails when no field is left.
 */
import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

const CONDITIONS = ['skip', 'include'];

export function UnconditionalSubscriptionsRule(context: ValidationContext): ASTVisitor {
  const seen = new Set<string>();
  const check = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      const condition = selection.directives?.find(({ name }) => CONDITIONS.includes(name.value));
      if (condition)
        context.reportError(
          new GraphQLError(`A subscription may not have @${condition.name.value} on its root field`, {
            nodes: condition,
          }),
        );
      if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet);
      if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) continue;
      seen.add(selection.name.value); // also ends the recursion of a recursive fragment
      const fragment = context.getFragment(selection.name.value);
      if (fragment) check(fragment.selectionSet);
    }
  };
  return {
    OperationDefinition: (node) => {
      if (node.operation === OperationTypeNode.SUBSCRIPTION) check(node.selectionSet);
    },
  };
}
