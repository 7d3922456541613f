/** The examples of a domain in GraphiQL. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import { projectRoot } from '../../harness/project-root.js';

export type Answer = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** @param name of the folder @returns all operations, in their order */
export function operationsOf(name: string): OperationDefinitionNode[] {
  const folder = join(projectRoot, 'web/graphiql/examples', name);
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => parse(readFileSync(join(folder, file), 'utf8')).definitions)
    .filter((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION);
}
