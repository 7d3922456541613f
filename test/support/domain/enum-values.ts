import { isEnumType } from 'graphql';
import { makeSchema } from '../../../src/server/operations/schema.js';

/** The values of an enum. @param running the domains that the server runs; default: all */
export function enumValues(type: string, running?: readonly string[]): string[] {
  const found = makeSchema(running).getType(type);
  return isEnumType(found) ? found.getValues().map(({ name }) => name) : [];
}
