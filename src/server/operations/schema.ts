/** The executable schema of the domains that are on: the SDL files in `schema/` with the resolvers in `src/resolvers`. */
import { readdirSync, readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import type { Db } from 'mongodb';
import { allDomains, allJoins } from '../../domains.js';
import { makeResolvers } from '../../resolvers/index.js';
import type { Loaders } from '../context/context.js';
import type { Routes } from '../context/routes.js';
import { enforceAccess } from './access.js';

const SCHEMA_FOLDER = new URL('../../../schema/', import.meta.url);

const parts = await Promise.all(
  allDomains.map(async ({ name, resolvers }) => ({ name, ...(await resolvers()).resolvers })),
);
const joins = await Promise.all(
  allJoins.map(async ({ name, domains, resolvers }) => ({ name, domains, ...(await resolvers()).resolvers })),
);
const allNames: readonly string[] = parts.map(({ name }) => name);

/** The text of the SDL files, in the order of their names. @param domains default: all */
export function readTypeDefinitions(domains: readonly string[] = allNames): string[] {
  return readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .filter((name) => isOf(name, domains))
    .sort()
    .map((name) => readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8'));
}

/** The files of a domain are in its folder, those of joins in `joins`. Files directly in `schema/` belong to every domain. */
function isOf(path: string, domains: readonly string[]): boolean {
  const [folder, ...rest] = path.split(/[\\/]/);
  if (folder === 'joins') return joinsOf(domains).some(({ name }) => rest[0] === `${name}.graphql`);
  return rest.length === 0 || (folder !== undefined && domains.includes(folder));
}

const joinsOf = (running: readonly string[]) =>
  joins.filter(({ domains }) => domains.every((name) => running.includes(name)));

/** The API of some domains. */
export interface Api {
  readonly schema: GraphQLSchema;
  /** For one operation. */
  readonly makeLoaders: (db: Db) => Loaders;
  /** The HTTP routes outside the API. */
  readonly routes: readonly Routes[];
}

/** @param domains default: all */
export function makeApi(domains: readonly string[] = allNames): Api {
  const running = [...parts.filter(({ name }) => domains.includes(name)), ...joinsOf(domains)];
  const typeDefs = readTypeDefinitions(domains);
  return {
    schema: enforceAccess(makeExecutableSchema({ typeDefs, resolvers: makeResolvers(running) })),
    makeLoaders: (db) => Object.assign({}, ...running.map(({ loaders }) => loaders?.(db))),
    routes: running.flatMap(({ routes }) => routes ?? []),
  };
}

export const makeSchema = (domains?: readonly string[]): GraphQLSchema => makeApi(domains).schema;
