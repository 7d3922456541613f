/** What the pages of the network ask of the server about posts. */
import { graphql } from '../../../generated/gql.js';

graphql(`
  fragment Face on Author { id name profile { id picture { id small: url(width: 320) } } }
`);

graphql(`
  fragment SocialPost on Post {
    __typename id title type text postedAt editedAt audience commentCount commentPolicy
    author { ...Face }
    onWallOf { id name }
    circles { id name }
    detail {
      __typename
      ... on PhotoDetail { description image { id width height url small: url(width: 640) large: url(width: 1280) } }
      ... on LinkDetail { url title }
      ... on CheckInDetail { name latitude longitude }
      ... on PollDetail { question closesAt myVote options { number text votes } }
    }
    about { __typename id ... on Commentable { title } }
    latestComments { id html author { ...Face } }
  }
`);

export const NewsDocument = graphql(`
  query News($first: Int!, $after: String) {
    news(first: $first, after: $after) { edges { node { ...SocialPost } } pageInfo { hasNextPage endCursor } }
  }
`);

export const NewsChangedDocument = graphql(`
  subscription NewsChanged($after: String) {
    newsChanged(after: $after) { __typename cursor reset removed posts { ...SocialPost } }
  }
`);

export const WallDocument = graphql(`
  query Wall($of: ID!, $first: Int!, $after: String) {
    wall(userId: $of, first: $first, after: $after) {
      edges { node { ...SocialPost } } pageInfo { hasNextPage endCursor }
    }
  }
`);

export const WallChangedDocument = graphql(`
  subscription WallChanged($of: ID!, $after: String) {
    wallChanged(userId: $of, after: $after) { __typename cursor reset removed posts { ...SocialPost } }
  }
`);

export const IncomingDocument = graphql(`
  query Incoming($first: Int!, $after: String) {
    incoming(first: $first, after: $after) { edges { node { ...SocialPost } } pageInfo { hasNextPage endCursor } }
  }
`);

export const IncomingChangedDocument = graphql(`
  subscription IncomingChanged($after: String) {
    incomingChanged(after: $after) { __typename cursor reset removed posts { ...SocialPost } }
  }
`);

export const PostChangedDocument = graphql(`
  subscription PostChanged($id: ID!, $after: String) {
    postChanged(id: $id, after: $after) { __typename cursor reset post { ...SocialPost } }
  }
`);

export const CommentFacesDocument = graphql(`
  query CommentFaces($on: ID!) {
    discussion(nodeId: $on, order: NEWEST_FIRST, first: 100) { edges { node { id author { ...Face } } } }
  }
`);

export const PublishPostDocument = graphql(`
  mutation PublishPost($input: PostInput!, $key: String!) {
    publishPost(input: $input, idempotencyKey: $key) { __typename ...SocialPost ... on Refusal { message } }
  }
`);

export const EditPostDocument = graphql(`
  mutation EditPost($id: ID!, $text: String!) {
    editPost(id: $id, text: $text) { __typename ...SocialPost ... on Refusal { message } }
  }
`);

export const DeletePostDocument = graphql(`
  mutation DeletePost($id: ID!) { deletePost(id: $id) { __typename ... on Refusal { message } } }
`);

export const VoteInPollDocument = graphql(`
  mutation VoteInPoll($id: ID!, $option: Int!) {
    voteInPoll(postId: $id, option: $option) { __typename ...SocialPost ... on Refusal { message } }
  }
`);

export const ReportPostDocument = graphql(`
  mutation ReportPost($id: ID!, $reason: String!) { reportPost(id: $id, reason: $reason) { reported } }
`);

export const AudiencePreviewDocument = graphql(`
  query PreviewAudience($audience: Audience!, $circleIds: [ID!]!) {
    audiencePreview(audience: $audience, circleIds: $circleIds) { readers isPublic way }
  }
`);

export const PostReachDocument = graphql(`
  query PostReach($id: ID!) { fanOut(postId: $id) { id state done total way finishedAt failure } }
`);

export const ExplainVisibilityDocument = graphql(`
  query WhoSees($id: ID!, $reader: ID) { explainVisibility(postId: $id, readerId: $reader) { isVisible rule } }
`);
