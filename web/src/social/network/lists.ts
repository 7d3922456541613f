/** The people of the viewer: followers, who was blocked, and who is in a circle. */
import { graphql } from '../../../generated/gql.js';

export const FollowersDocument = graphql(`
  query Followers($first: Int!, $after: String) {
    followers(first: $first, after: $after) {
      edges { cursor node { id name profile { ...NetworkProfile } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const BlockedPeopleDocument = graphql(`
  query BlockedPeople { blockedPeople { id name } }
`);

export const CircleMembersDocument = graphql(`
  query CircleMembers($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      __typename id
      ... on Circle {
        members(first: $first, after: $after) { edges { cursor node { ...Face } } pageInfo { hasNextPage endCursor } }
      }
    }
  }
`);
