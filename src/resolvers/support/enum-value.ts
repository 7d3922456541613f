/** Values of enums that domains extend: stored ones may be of a domain that this server does not run. */
import { type GraphQLResolveInfo, isEnumType } from 'graphql';

/** Whether the server's schema has the value. */
export function isValueOf({ schema }: Pick<GraphQLResolveInfo, 'schema'>, type: string, value: string): boolean {
  const found = schema.getType(type);
  return isEnumType(found) && found.getValue(value) !== undefined;
}
