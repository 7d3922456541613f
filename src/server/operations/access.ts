/**
 * The schema's access rules, enforced here and nowhere else: each field with `@auth` or `@owner` is wrapped, so that a resolver runs
 * only for viewers who may use it. The server does not start if a root field has no rule. GraphiQL shows the rule in the description.
 */
import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DocumentNode,
  defaultFieldResolver,
  type GraphQLFieldConfig,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../context/context.js';
import type { Viewer } from '../identity/viewer.js';
import { type AccessRule, accessRuleOf, describeRule, requireAccess } from './access-rule.js';

type Field = GraphQLFieldConfig<unknown, Context>;

export function enforceAccess(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field: Field, name, type) => {
      const rule = accessRuleOf(field.astNode, true);
      if (!rule) throw new Error(`${type}.${name} has neither @auth nor @owner nor @public`);
      return guarded(field, rule);
    },
    [MapperKind.OBJECT_FIELD]: (field: Field) => {
      const rule = accessRuleOf(field.astNode, false);
      return rule ? guarded(field, rule) : field;
    },
  });
}

function guarded(field: Field, rule: AccessRule): Field {
  const described = { ...field, description: [field.description, describeRule(rule)].filter(Boolean).join('\n\n') };
  if (rule.kind === 'public') return described;
  const { resolve = defaultFieldResolver, subscribe } = field;
  if (subscribe) {
    return {
      ...described,
      subscribe: (source, args, context, info) => {
        requireAccess(rule, context.viewer, source);
        return subscribe(source, args, context, info);
      },
    };
  }
  return {
    ...described,
    resolve: (source, args, context, info) => {
      requireAccess(rule, context.viewer, source);
      return resolve(source, args, context, info);
    },
  };
}

/**
 * Before an operation runs: checks that the viewer may use all its root fields, including conditional ones.
 * @throws SextantError UNAUTHENTICATED or FORBIDDEN
 */
export function requireRootAccess(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
  viewer: Viewer,
): void {
  const fields = schema.getRootType(operation)?.getFields() ?? {};
  for (const name of rootFieldNames(document, selectionSet)) {
    const rule = accessRuleOf(fields[name]?.astNode, true);
    if (rule) requireAccess(rule, viewer, null);
  }
}

/** For valid documents: fragments are not recursive. */
function* rootFieldNames(document: DocumentNode, set: SelectionSetNode): Generator<string> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection.name.value;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* rootFieldNames(document, selection.selectionSet);
    else {
      const { value } = selection.name;
      for (const node of document.definitions) {
        if (node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === value)
          yield* rootFieldNames(document, node.selectionSet);
      }
    }
  }
}
