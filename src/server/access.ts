/**
 * `@auth` and `@public` of the schema, enforced here and nowhere else: each field with `@auth` is wrapped, so a resolver runs only for
 * those who may use it. A root field with neither is refused at start.
 */
import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { type DirectiveNode, defaultFieldResolver, type GraphQLFieldConfig, type GraphQLSchema, Kind } from 'graphql';
import type { Context } from './context.js';
import { type Role, requireRole } from './viewer.js';

type Field = GraphQLFieldConfig<unknown, Context>;

export function enforceAccess(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field: Field, name, type) => {
      if (!directive(field, 'auth') && !directive(field, 'public'))
        throw new Error(`${type}.${name} says neither @auth nor @public`);
      return guarded(field);
    },
    [MapperKind.OBJECT_FIELD]: (field: Field) => guarded(field),
  });
}

function guarded(field: Field): Field {
  const role = neededRole(field);
  if (!role) return field;
  const { resolve = defaultFieldResolver, subscribe } = field;
  if (subscribe) {
    return {
      ...field,
      subscribe: (source, args, context, info) => {
        requireRole(context.viewer, role);
        return subscribe(source, args, context, info);
      },
    };
  }
  return {
    ...field,
    resolve: (source, args, context, info) => {
      requireRole(context.viewer, role);
      return resolve(source, args, context, info);
    },
  };
}

function neededRole(field: Field): Role | null {
  const auth = directive(field, 'auth');
  if (!auth) return null;
  const role = auth.arguments?.find(({ name }) => name.value === 'role')?.value;
  return (role?.kind === Kind.ENUM ? role.value : 'ADMIN') as Role;
}

const directive = ({ astNode }: Field, name: string): DirectiveNode | undefined =>
  astNode?.directives?.find((node) => node.name.value === name);
