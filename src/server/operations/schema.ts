/** The executable schema: all SDL files of `schema/` with the resolvers of `src/resolvers`. */
import { readdirSync, readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { resolvers } from '../../resolvers/index.js';
import { enforceAccess } from './access.js';

const SCHEMA_FOLDER = new URL('../../../schema/', import.meta.url);

/** The text of all SDL files, in the order of their names. */
export function readTypeDefinitions(): string[] {
  return readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8'));
}

export function makeSchema(): GraphQLSchema {
  return enforceAccess(makeExecutableSchema({ typeDefs: readTypeDefinitions(), resolvers }));
}
