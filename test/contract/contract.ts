/** The operations of real clients, read from `../shared/contract` where that folder is. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, type OperationDefinitionNode, type OperationTypeNode, parse, print } from 'graphql';
import { projectRoot } from '../support/project-root.js';

const FOLDER = join(projectRoot, '../shared/contract');

export const contractIsThere = existsSync(FOLDER);

export interface Operation {
  readonly name: string;
  readonly type: `${OperationTypeNode}`;
  readonly document: DocumentNode;
  readonly text: string;
}

/** @param domain the file's name without its ending */
export function readOperations(domain: string): Operation[] {
  if (!contractIsThere) return [];
  const { definitions } = parse(readFileSync(join(FOLDER, `${domain}.graphql`), 'utf8'));
  return definitions
    .filter((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION)
    .map((definition) => ({
      name: definition.name?.value ?? '',
      type: definition.operation,
      document: { kind: Kind.DOCUMENT, definitions: [definition] },
      text: print(definition),
    }));
}
