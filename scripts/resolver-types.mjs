/**
 * A plugin of GraphQL Code Generator: its `typescript-resolvers`, with mappers from `src/resolvers/<domain>/mappers.ts`. A type that is
 * exported there as `OrderMapper` is what the resolvers of the type `Order` get as their parent. So a domain maps its own types.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { plugin as resolverTypes } from '@graphql-codegen/typescript-resolvers';

const RESOLVERS = new URL('../src/resolvers/', import.meta.url);
const MAPPER = /^export type (\w+)Mapper\b/gm;

function mappersOf(domain) {
  const file = new URL(`${domain}/mappers.ts`, RESOLVERS);
  if (!existsSync(file)) return [];
  const types = [...readFileSync(file, 'utf8').matchAll(MAPPER)].map(([, type]) => type);
  return types.map((type) => [type, `../resolvers/${domain}/mappers.js#${type}Mapper`]);
}

export const plugin = (schema, documents, config, info) => {
  const mappers = Object.fromEntries(readdirSync(RESOLVERS).flatMap(mappersOf));
  for (const type of Object.keys(mappers))
    if (!schema.getType(type)) throw new Error(`${type}Mapper: the schema has no type ${type}`);
  return resolverTypes(schema, documents, { ...config, mappers }, info);
};
