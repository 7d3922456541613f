/** The operations of real clients, read from `../shared/contract` if that folder exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, type OperationTypeNode, parse, print, separateOperations } from 'graphql';
import { projectRoot } from '../../harness/project-root.js';

const FOLDER = join(projectRoot, '../shared/contract');

export const contractIsThere = existsSync(FOLDER);

export interface Operation {
  readonly name: string;
  readonly type: `${OperationTypeNode}`;
  readonly document: DocumentNode;
  readonly text: string;
}

/** @param domain the file name without its extension @returns none if the contract has no such file */
export function readOperations(domain: string): Operation[] {
  const path = join(FOLDER, `${domain}.graphql`);
  if (!existsSync(path)) return [];
  const file = parse(readFileSync(path, 'utf8'));
  return Object.entries(separateOperations(file)).map(([name, document]) => ({
    name,
    type: document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)?.operation ?? 'query',
    document, // with the fragments that it uses
    text: print(document),
  }));
}
