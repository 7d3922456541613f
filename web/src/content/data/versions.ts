/** The versions of a node. */
import { graphql } from '../../../generated/gql.js';
import type { NodeVersionsQuery } from '../../../generated/graphql.js';

export const VersionsDocument = graphql(`
  query NodeVersions($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      __typename
      id
      ... on ContentNode {
        versions(first: $first, after: $after) {
          edges { cursor node { version nonce at title author { id name } } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

type Versions = NonNullable<Extract<NodeVersionsQuery['node'], { __typename: 'Page' }>['versions']>;
export type VersionEdge = Versions['edges'][number];

/** One version with its texts: the first after a cursor. */
export const VersionDocument = graphql(`
  query NodeVersion($id: ID!, $after: String) {
    node(id: $id) {
      __typename
      id
      ... on ContentNode {
        versions(first: 1, after: $after) {
          edges {
            cursor
            node { version title words excerpt text description videoUrl source imageId slug publishedAt changes { field yours theirs } }
          }
        }
      }
    }
  }
`);

/** Who made the version that the server tells of. */
export const LastEditorDocument = graphql(`
  query LastEditor($id: ID!) {
    node(id: $id) {
      __typename
      id
      ... on ContentNode { versions(first: 1) { edges { node { version author { id name } } } } }
    }
  }
`);

export const NodeChangedDocument = graphql(`
  subscription NodeChanged($id: ID!, $after: String) {
    nodeChanged(id: $id, after: $after) { cursor reset node { __typename id ...EditorNode } }
  }
`);
