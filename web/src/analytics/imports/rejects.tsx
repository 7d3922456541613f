/** The rejected lines of a log import. */
import { graphql } from '../../../generated/gql.js';
import type { RejectedLinesQuery } from '../../../generated/graphql.js';
import { RejectsModal } from '../../kit/lists/rejects.js';

const RejectedLinesDocument = graphql(`
  query RejectedLines($id: ID!, $first: Int!, $after: String) {
    logImport(id: $id) {
      id
      rejected
      rejectReasons { reason count }
      rejects(first: $first, after: $after) {
        edges { cursor node { line reason raw } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const importOf = ({ logImport }: RejectedLinesQuery) => logImport ?? null;

export const LogRejects = (props: { id: string; fileName: string; onClose: () => void }) => (
  <RejectsModal {...props} query={RejectedLinesDocument} importOf={importOf} />
);
