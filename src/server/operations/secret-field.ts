/** Detects operations that select a secret: the schema marks such fields with `@secret`. */
import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { directiveOf } from './cost-directive.js';

/** For a valid document: whether the response of any of its operations may contain a secret. */
export function asksForSecret(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let asks = false;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => {
        const field = types.getFieldDef();
        if (field && directiveOf(field, 'secret')) asks = true;
      },
    }),
  );
  return asks;
}
