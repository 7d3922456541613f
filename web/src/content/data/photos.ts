/** The photos of a gallery. */
import { graphql } from '../../../generated/gql.js';
import type { PhotosQuery } from '../../../generated/graphql.js';

export const PhotosDocument = graphql(`
  query Photos($filter: NodeFilter!, $first: Int!, $after: String) {
    nodes(filter: $filter, first: $first, after: $after) {
      edges { cursor node { ...NodeRow } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type PhotoRow = PhotosQuery['nodes']['edges'][number]['node'];
