/**
 * The schema's rules, enforced here and nowhere else: each field with `@auth` or `@owner` is wrapped, so a resolver runs only for those
 * who may use it. A root field without a rule is refused at start. Descriptions get the rule in words, where GraphiQL shows it.
 */
import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { defaultFieldResolver, type GraphQLFieldConfig, type GraphQLSchema } from 'graphql';
import { type AccessRule, accessRuleOf, describeRule, requireAccess } from './access-rule.js';
import type { Context } from './context.js';

type Field = GraphQLFieldConfig<unknown, Context>;

export function enforceAccess(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field: Field, name, type) => {
      const rule = accessRuleOf(field.astNode, true);
      if (!rule) throw new Error(`${type}.${name} says neither @auth nor @owner nor @public`);
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
