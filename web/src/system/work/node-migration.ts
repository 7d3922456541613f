/** The migration of nodes, on servers with content. */
import { graphql } from '../../../generated/gql.js';
import { mutate } from '../../api/client.js';

export const NodeMigrationDocument = graphql(`
  query NodeMigrationState {
    oldNodeCount
    nodeMigration { ...WorkFields }
  }
`);

const MigrateNodesDocument = graphql(`
  mutation MigrateNodes { migrateNodes { ...WorkFields } }
`);

/** @returns why it was refused, or null */
export async function migrateNodes(): Promise<string | null> {
  const answer = await mutate(MigrateNodesDocument, {});
  return typeof answer === 'string' ? answer : null;
}
