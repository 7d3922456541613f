/** The ways to one post: by its id, or by that of something that goes with it, which are a comment, its picture, or its way into the news. */
import { publicPath } from '../../../src/models/system/assets/asset-address.js';
import type { Member } from '../social-api.js';
import { type Marked, type Scene, sees } from './scene.js';
import {
  type Asker,
  COMMENT,
  CURSORS,
  isAuthor,
  isAuthorOrAdmin,
  isEditor,
  isMember,
  nobody,
  ofComment,
  POST,
  SHOWN,
  takesPart,
  type Ways,
} from './way.js';

export const waysById = (scene: Scene, asker: Asker): Ways => ({
  ...queries(asker),
  ...subscriptions(asker),
  ...mutations(scene, asker),
  ...waysOfPictures(scene, asker),
  ...waysOfPolls(asker),
});

const ID = 'query ($id: ID!)';

function queries(asker: Asker): Ways {
  const ask = asker.ask.bind(asker);
  const discussion = `${ID} { discussion(nodeId: $id, first: 5) { edges { cursor node { ${COMMENT} } } ${CURSORS} } }`;
  const node = (by: Member | null, id: string, fields: string) =>
    ask(by, `${ID} { node(id: $id) { ${fields} } }`, { id });
  return {
    'Query.post': { ask: (by, { id }) => ask(by, `${ID} { post(id: $id) { ${POST} } }`, { id }) },
    'Query.post, its comments': {
      ask: (by, { id }) => ask(by, `${ID} { post(id: $id) { ${POST} } }`, { id }),
      sign: ofComment,
    },
    'Query.node': { ask: (by, { id }) => node(by, id, POST) },
    'Query.node, as something to comment on': { ask: (by, { id }) => node(by, id, '... on Commentable { title }') },
    'Query.node of a comment': { ask: (by, { comment }) => node(by, comment.id, COMMENT) },
    'Query.node of a comment, its text': { ask: (by, { comment }) => node(by, comment.id, COMMENT), sign: ofComment },
    'Query.node of its way': {
      ask: (by, { fanOut }) => node(by, fanOut, '... on FanOut { total }'),
      reaches: isAuthorOrAdmin,
      sign: () => '"total"',
      isBeside: true,
    },
    'Query.fanOut': {
      ask: (by, { id }) => ask(by, `${ID} { fanOut(postId: $id) { total } }`, { id }),
      reaches: isAuthorOrAdmin,
      sign: () => '"total"',
      isBeside: true,
    },
    'Query.explainVisibility': {
      ask: (by, { id }) => ask(by, `${ID} { explainVisibility(postId: $id) { rule } }`, { id }),
      reaches: isAuthorOrAdmin,
      sign: () => '"rule"',
      isBeside: true,
    },
    'Query.discussion': { ask: (by, { id }) => ask(by, discussion, { id }) },
    'Query.discussion, its comments': { ask: (by, { id }) => ask(by, discussion, { id }), sign: ofComment },
    'Query.comment': {
      ask: (by, { id }) => ask(by, `${ID} { comment(nodeId: $id, slug: "1") { ${COMMENT} } }`, { id }),
      sign: ofComment,
    },
    'Query.post of another, about it': {
      ask: (by, { quote: id }) =>
        ask(by, `${ID} { post(id: $id) { text about { ... on Post { ${SHOWN} } ... on Commentable { title } } } }`, {
          id,
        }),
    },
  };
}

function subscriptions(asker: Asker): Ways {
  return {
    'Subscription.postChanged': {
      ask: (by, { id }) =>
        asker.follow(by, `subscription ($id: ID!) { postChanged(id: $id) { post { ${POST} } } }`, { id }),
    },
    'Subscription.commentsChanged': {
      ask: (by, { id }) =>
        asker.follow(by, 'subscription ($id: ID!) { commentsChanged(nodeId: $id, last: 20) { comments { text } } }', {
          id,
        }),
      sign: ofComment,
    },
  };
}

function mutations(scene: Scene, asker: Asker): Ways {
  const mutate = (by: Member | null, id: string, fields: string) =>
    asker.ask(by, `mutation ($id: ID!) { ${fields} }`, { id });
  return {
    'Mutation.postComment': {
      ask: (by, { id }) =>
        asker.ask(
          by,
          `mutation ($id: ID!, $name: String) { postComment(nodeId: $id, text: "Me, too", authorName: $name) { ${COMMENT} } }`,
          { id, name: by ? null : 'Zoe' },
        ),
      reaches: takesPart,
    },
    'Mutation.editComment': {
      ask: (by, { comment }) => mutate(by, comment.id, `editComment(id: $id, text: "Changed") { ${COMMENT} }`),
      reaches: nobody,
    },
    'Mutation.changeCommentPolicy': {
      ask: (by, { id }) => mutate(by, id, `changeCommentPolicy(nodeId: $id, policy: EVERYBODY) { ${POST} }`),
      reaches: nobody, // of posts, it is always the same
    },
    'Mutation.publishPost': {
      ask: (by, { id }) =>
        mutate(by, id, `publishPost(input: { text: "See", aboutId: $id }) { ... on Post { about { ${POST} } } }`),
      reaches: takesPart,
    },
    'Mutation.editPost': {
      ask: async (by, { id, marker: text }) => {
        const query = `mutation ($id: ID!, $text: String!) { editPost(id: $id, text: $text) { ... on Post { ${SHOWN} } } }`;
        const answer = await asker.ask(by, query, { id, text });
        return by?.id === scene.author.id ? answer : answer.replace(`"text":"${text}"`, 'CHANGED');
      },
      reaches: isAuthor,
    },
    'Mutation.deletePost': {
      ask: async (by, post, relation) =>
        isAuthorOrAdmin(relation, post) || relation === 'the owner of the wall'
          ? '' // see post.test.ts
          : mutate(by, post.id, 'deletePost(id: $id) { __typename }'),
      reaches: nobody,
      sign: () => 'DeletedPost',
      isBeside: true,
    },
    'Mutation.dismissReports': {
      ask: (by, { id }) => mutate(by, id, 'dismissReports(id: $id) { reported }'),
      reaches: isEditor,
      sign: () => '"reported":',
      isBeside: true,
    },
    'Mutation.reportPost': {
      ask: (by, { id }) => mutate(by, id, 'reportPost(id: $id, reason: "Look") { reported }'),
      reaches: (relation, post) => sees(relation, post) && isMember(relation, post),
      sign: () => '"reported":true',
    },
  };
}

const OK = 'status 200';

/** The picture of a photo has an id and an address of its own. */
function waysOfPictures({ api }: Scene, asker: Asker): Ways {
  const types = ['PHOTO'] as const;
  const photo = `${ID} { post(id: $id) { detail { ... on PhotoDetail { image { url(width: 320) } } } } }`;
  const statusOf = async (path: string) => `status ${(await fetch(new URL(path, api.server.url))).status}`;
  return {
    'Query.post, the address of its picture': {
      ask: async (by, { id }) => {
        const path = /"url":"([^"]+)"/.exec(await asker.ask(by, photo, { id }))?.[1];
        return path === undefined ? '' : statusOf(path);
      },
      sign: () => OK,
      types,
    },
    'Query.node of its picture': {
      ask: (by, { picture }) =>
        asker.ask(by, `${ID} { node(id: $id) { ... on Asset { url } } }`, { id: picture?.id ?? '' }),
      reaches: (relation, post) => isAuthorOrAdmin(relation, post) || isPublic(post), // who uploaded it, and editors
      sign: ({ picture }) => `/assets/${picture?.stored}`,
      types,
      isBeside: true,
    },
    'Query.node of its picture, guessed': {
      ask: (_by, { picture }) => statusOf(publicPath(picture?.stored ?? '', null)), // nobody's name goes with it
      reaches: (_relation, post) => isPublic(post),
      sign: () => OK,
      types,
      isBeside: true,
    },
  };
}

const isPublic = ({ audience }: Marked): boolean => audience === 'PUBLIC';

/** Who may not vote learns of a post neither what it is nor that there is one. */
function waysOfPolls(asker: Asker): Ways {
  const query = `mutation ($id: ID!) { voteInPoll(postId: $id, option: 0) { __typename ${POST} } }`;
  return {
    'Mutation.voteInPoll': { ask: (by, { id }) => asker.ask(by, query, { id }), reaches: takesPart, types: ['POLL'] },
    'Mutation.voteInPoll, in what is none': {
      ask: (by, { id }) => asker.ask(by, query, { id }),
      reaches: takesPart,
      sign: () => 'CannotVote',
      types: ['STATUS', 'PHOTO', 'LINK', 'CHECK_IN'],
    },
    'Query.post, the votes in it': {
      ask: (by, { id }) =>
        asker.ask(by, `${ID} { post(id: $id) { detail { ... on PollDetail { options { votes } } } } }`, { id }),
      sign: () => '"votes":',
      types: ['POLL'],
    },
  };
}
