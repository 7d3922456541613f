/** Which operations ask for a secret: the schema marks the fields that are one with `@secret`. */
import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { directiveOf } from './cost-directive.js';

/** Of a valid document: whether an answer to any of its operations may carry a secret. */
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
