/** The contract's rows of the network. The administrator and another person, who has signed up, are in it. */
import { expect } from 'vitest';
import type { Earlier, Row } from '../contract/row.js';

const text = expect.any(String);
const ended = { hasNextPage: false, endCursor: text };

const profile = {
  id: text,
  name: text,
  about: 'Sails',
  place: 'Kiel',
  interests: ['charts'],
  picture: null,
  joinedAt: text,
  followerCount: 0,
  followingCount: 0,
  myCircles: [],
  followsMe: false,
  blockedByMe: false,
};
const friends = { id: text, name: 'My.$friends', memberCount: 0 };
const ann = { id: text, name: 'Ann' };

const post = {
  id: text,
  type: 'STATUS',
  author: { id: text, name: text },
  onWallOf: null,
  text: 'Wind from the west',
  postedAt: text,
  editedAt: null,
  audience: 'PUBLIC',
  circles: [],
  commentCount: 0,
  detail: null,
  about: null,
  latestComments: [],
};
const edited = { ...post, text: 'Wind from the north', editedAt: text };
const comment = { id: text, postedAt: text, author: { id: text, name: text }, text: 'Force five' };
const commented = { ...edited, commentCount: 1, latestComments: [comment] };
const poll = {
  ...post,
  type: 'POLL',
  text: '',
  detail: {
    __typename: 'PollDetail',
    question: 'Sail tomorrow?',
    closesAt: null,
    myVote: null,
    options: [
      { number: 0, text: 'Yes', votes: 0 },
      { number: 1, text: 'No', votes: 0 },
    ],
  },
};
const voted = {
  ...poll,
  detail: {
    ...poll.detail,
    myVote: 1,
    options: [
      { number: 0, text: 'Yes', votes: 0 },
      { number: 1, text: 'No', votes: 1 },
    ],
  },
};
const listed = (...nodes: readonly object[]) => ({
  edges: nodes.map((node) => ({ cursor: text, node })),
  pageInfo: ended,
});
const none = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
const event = (posts: readonly object[], removed: readonly string[] = []) => ({
  cursor: text,
  reset: false,
  posts,
  removed,
});

const input = { about: 'Sails', place: 'Kiel', interests: ['charts'] };
const postId = ({ socialPost: id }: Earlier) => ({ id });
const annId = ({ memberId: userId }: Earlier) => ({ userId });
const crew = { id: text, name: 'Crew', memberCount: 1 };
const annInCrew = { edges: [{ node: ann }], pageInfo: ended };
const annFollowed = {
  ...profile,
  about: '',
  place: '',
  interests: [],
  name: 'Ann',
  followerCount: 1,
  myCircles: [{ id: text, name: 'Crew' }],
};

const peopleRows: readonly Row[] = [
  {
    operation: 'SaveProfile',
    variables: { input },
    expected: { saveProfile: profile },
    tells: ({ saveProfile: { id } }: { saveProfile: { id: string } }) => ({ socialMe: id }),
  },
  { operation: 'Profile', variables: {}, expected: { profile } },
  {
    operation: 'CreateCircle',
    variables: { name: 'My.$friends' },
    expected: { createCircle: { __typename: 'Circle', ...friends } },
    tells: ({ createCircle: { id } }: { createCircle: { id: string } }) => ({ circle: id }),
  },
  {
    operation: 'RenameCircle',
    variables: ({ circle: id }: Earlier) => ({ id, name: 'Crew' }),
    expected: { renameCircle: { __typename: 'Circle', ...friends, name: 'Crew' } },
  },
  {
    before: 'mutation { saveProfile(input: {}) { id } }',
    beforeToken: 'memberToken',
    operation: 'AddToCircle',
    variables: ({ circle: circleId, memberId: userId }: Earlier) => ({ circleId, userId }),
    expected: { addToCircle: { __typename: 'Circle', ...crew, members: annInCrew } },
  },
  {
    operation: 'Circles',
    variables: {},
    expected: { circles: [{ ...crew, members: { edges: [{ node: { ...ann, profile: { picture: null } } }] } }] },
  },
  {
    operation: 'CircleMembers',
    variables: ({ circle: id }: Earlier) => ({ id }),
    expected: { node: { ...crew, members: annInCrew } },
  },
  {
    operation: 'FindProfiles',
    variables: { namePrefix: 'AN' },
    expected: { findProfiles: { edges: [{ node: annFollowed }], pageInfo: ended } },
  },
  { operation: 'Followers', variables: {}, expected: { followers: none } },
];

const postRows: readonly Row[] = [
  {
    operation: 'PublishPost',
    variables: { input: { text: post.text, audience: 'PUBLIC' }, idempotencyKey: 'network' },
    expected: { publishPost: { __typename: 'Post', ...post } },
    tells: ({ publishPost: { id } }: { publishPost: { id: string } }) => ({ socialPost: id }),
  },
  {
    operation: 'EditPost',
    variables: (earlier: Earlier) => ({ ...postId(earlier), text: edited.text }),
    expected: { editPost: { __typename: 'Post', ...edited } },
  },
  {
    operation: 'CommentOnPost',
    variables: ({ socialPost }: Earlier) => ({ postId: socialPost, text: comment.text }),
    expected: {
      postComment: {
        __typename: 'Comment',
        id: text,
        text: comment.text,
        author: comment.author,
        on: { id: text, commentCount: 1 },
      },
    },
  },
  {
    operation: 'Post',
    variables: postId,
    expected: { post: { ...commented, discussion: { edges: [{ node: comment }], pageInfo: ended } } },
  },
  {
    operation: 'PostChanged',
    variables: postId,
    expected: { postChanged: { cursor: text, reset: false, post: commented } },
  },
  {
    operation: 'AudiencePreview',
    variables: ({ circle }: Earlier) => ({ audience: 'CIRCLES', circleIds: [circle] }),
    expected: { audiencePreview: { readers: 1, isPublic: false, way: 'WRITE' } },
  },
  {
    before: `mutation { publishPost(input: { type: POLL, audience: PUBLIC, poll: { question: "Sail tomorrow?", options: ["Yes", "No"] } }) {
      ... on Post { id }
    } }`,
    beforeTells: ({ publishPost: { id } }: { publishPost: { id: string } }) => ({ poll: id }),
    operation: 'VoteInPoll',
    variables: ({ poll: postId }: Earlier) => ({ postId, option: 1 }),
    expected: { voteInPoll: { __typename: 'Post', ...voted } },
  },
  {
    operation: 'ExplainVisibility',
    variables: ({ socialPost: postId, memberId: readerId }: Earlier) => ({ postId, readerId }),
    expected: { explainVisibility: { isVisible: true, rule: 'PUBLIC' } },
  },
  {
    operation: 'FanOut',
    variables: ({ socialPost: postId }: Earlier) => ({ postId }),
    expected: {
      fanOut: { id: text, state: 'FINISHED', done: 0, total: 0, way: 'WRITE', startedAt: text, finishedAt: text },
    },
  },
];

const listRows: readonly Row[] = [
  {
    operation: 'Wall',
    variables: ({ socialMe: userId }: Earlier) => ({ userId }),
    expected: { wall: listed(voted, commented) },
  },
  { operation: 'News', variables: {}, expected: { news: listed(voted, commented) } },
  { operation: 'Incoming', variables: {}, expected: { incoming: none } },
  { operation: 'IncomingChanged', variables: {}, expected: { incomingChanged: event([]) } },
  {
    operation: 'WallChanged',
    variables: ({ socialMe: userId }: Earlier) => ({ userId }),
    expected: { wallChanged: event([voted, commented]) },
  },
  {
    operation: 'NewsChanged',
    variables: {},
    expected: { newsChanged: event([voted, commented]) },
    afterwards: {
      operation: 'DeletePost',
      variables: ({ poll: id }: Earlier) => ({ id }),
      expected: { newsChanged: event([], [text]) },
    },
  },
  {
    operation: 'PersonOfTheProduct',
    variables: ({ socialMe: userId }: Earlier) => ({ userId }),
    expected: {
      profile: {
        id: text,
        name: text,
        followerCount: 0,
        nodes: { edges: expect.any(Array) },
        wall: { edges: [{ node: { id: text, text: edited.text } }] },
      },
      commentsOfAuthor: {
        edges: expect.arrayContaining([
          { node: { id: text, text: comment.text, on: { __typename: 'Post', id: text } } },
        ]),
      },
    },
  },
  {
    operation: 'ReportPost',
    variables: (earlier: Earlier) => ({ ...postId(earlier), reason: 'Too windy' }),
    expected: { reportPost: { reported: true } },
  },
  {
    operation: 'ReportedPosts',
    variables: {},
    expected: { reportedPosts: { edges: [{ node: commented }], pageInfo: ended } },
  },
  {
    operation: 'RebuildNews',
    variables: ({ socialMe: userId }: Earlier) => ({ userId }),
    expected: { rebuildNews: { id: text, state: 'WAITING', done: 0, total: null, wrong: 0 } },
  },
];

const endRows: readonly Row[] = [
  {
    operation: 'RemoveFromCircle',
    variables: ({ circle: circleId, memberId: userId }: Earlier) => ({ circleId, userId }),
    expected: { removeFromCircle: { __typename: 'Circle', ...crew, memberCount: 0 } },
  },
  {
    operation: 'DeleteCircle',
    variables: ({ circle: id }: Earlier) => ({ id }),
    expected: { deleteCircle: { __typename: 'DeletedCircle', id: text } },
  },
  {
    operation: 'BlockPerson',
    variables: annId,
    expected: { blockPerson: { __typename: 'Profile', id: text, blockedByMe: true } },
  },
  { operation: 'BlockedPeople', variables: {}, expected: { blockedPeople: [ann] } },
  {
    operation: 'UnblockPerson',
    variables: annId,
    expected: { unblockPerson: { __typename: 'Profile', id: text, blockedByMe: false } },
  },
  {
    operation: 'DeletePost',
    variables: postId,
    expected: { deletePost: { __typename: 'DeletedPost', id: text } },
  },
];

const shardRows: readonly Row[] = [
  {
    operation: 'PostShardAdvice',
    variables: { sample: 1000, shards: 4 },
    expected: {
      shardAdvice: ['{_id: "hashed"}', '{_id: 1}', '{wall_id: 1, posted: 1}', '{author_id: 1, posted: 1}'].map(
        (key) => ({
          key,
          isRecommended: expect.any(Boolean),
          note: text,
          hottestShardShare: expect.any(Number),
          queries: [
            'a page of a wall',
            'the posts of an author',
            'a post in the news, by its id',
            'a comment or a vote is counted',
            'a post is published',
          ].map((name) => ({ name, shardsAsked: expect.any(Number) })),
        }),
      ),
    },
  },
];

const ownDataRows: readonly Row[] = [
  {
    operation: 'ExportMyData',
    variables: {},
    expected: { exportMyData: { id: text, state: 'WAITING', done: 0, total: null, url: null, expiresAt: null } },
  },
];

export const socialRows: readonly Row[] = [
  ...peopleRows,
  ...postRows,
  ...listRows,
  ...endRows,
  ...shardRows,
  ...ownDataRows,
];
