/**
 * What a subscription follows does not depend on conditions: `@skip` and `@include` are refused on its root field, as the specification
 * says since 2025. graphql-js 16 lets them pass and then fails when nothing is left to follow.
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
          new GraphQLError(`A subscription may not have @${condition.name.value} on its field`, { nodes: condition }),
        );
      if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet);
      if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) continue;
      seen.add(selection.name.value); // also ends with a fragment that contains itself
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
