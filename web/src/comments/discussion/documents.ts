/** What a discussion asks of the server. */
import { graphql } from '../../../generated/gql.js';

graphql(`
  fragment DiscussionComment on Comment {
    id slug url postedAt editedAt text html state replyCount parentId
    author { id name }
  }
`);

export const DiscussionPageDocument = graphql(`
  query DiscussionPage($on: ID!, $order: CommentOrder!, $first: Int!, $after: String) {
    node(id: $on) { id ... on Commentable { commentPolicy commentCount } }
    discussion(nodeId: $on, order: $order, first: $first, after: $after) {
      edges { node { ...DiscussionComment } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const DiscussionChangedDocument = graphql(`
  subscription DiscussionChanged($on: ID!, $after: String) {
    commentsChanged(nodeId: $on, last: 0, after: $after) {
      __typename cursor reset removed commentCount
      comments { ...DiscussionComment }
    }
  }
`);

export const PostCommentDocument = graphql(`
  mutation PostToDiscussion($on: ID!, $text: String!, $replyTo: ID, $authorName: String, $key: String!) {
    postComment(nodeId: $on, text: $text, replyTo: $replyTo, authorName: $authorName, idempotencyKey: $key) {
      __typename
      ...DiscussionComment
      ... on Refusal { message }
      ... on CommentThrottled { retryAfterMs }
    }
  }
`);

export const EditCommentDocument = graphql(`
  mutation EditInDiscussion($id: ID!, $text: String!) {
    editComment(id: $id, text: $text) { __typename ...DiscussionComment ... on Refusal { message } }
  }
`);

export const DeleteCommentDocument = graphql(`
  mutation DeleteFromDiscussion($id: ID!) {
    deleteComment(id: $id) { __typename ... on Refusal { message } }
  }
`);

export const ReportCommentDocument = graphql(`
  mutation ReportFromDiscussion($id: ID!, $reason: String!) {
    reportComment(id: $id, reason: $reason) { reported }
  }
`);
