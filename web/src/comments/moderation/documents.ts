/** What the moderators' page asks of the server. */
import { graphql } from '../../../generated/gql.js';

graphql(`
  fragment ModeratedComment on Comment {
    id url text html state postedAt editedAt
    author { id name }
    on { __typename id title }
    reports { at reason by { id name } }
  }
`);

export const QueueChangedDocument = graphql(`
  subscription ModerationQueue($after: String) {
    commentsToModerateChanged(after: $after) {
      __typename cursor reset waiting removed
      comments { ...ModeratedComment }
    }
  }
`);

export const QueuePageDocument = graphql(`
  query ModerationPage($first: Int!, $after: String) {
    commentsToModerate(first: $first, after: $after) {
      edges { node { ...ModeratedComment } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const ModerateDocument = graphql(`
  mutation ModerateComments($ids: [ID!]!, $state: CommentState!) {
    moderateComments(ids: $ids, state: $state) { moderated rejected { index message } }
  }
`);

/** The number alone, which takes no comments. */
export const WaitingCountDocument = graphql(`
  subscription ModerationCount($after: String) {
    commentsToModerateChanged(after: $after) { __typename cursor reset waiting }
  }
`);
