/** The ways that lead to many posts at once: one answer tells of all of them. */

import { hasInNews, type Scene, sees } from './scene.js';
import {
  type Asker,
  COMMENT,
  CURSORS,
  type Decide,
  isEditor,
  isMember,
  LIST,
  nobody,
  ofComment,
  POST,
  type Ways,
} from './way.js';

const isIncoming: Decide = (relation, { isGuest }) => relation === 'the owner of the wall' && isGuest;

export function listWays(scene: Scene, asker: Asker): Ways {
  const ask = asker.ask.bind(asker);
  const follow = asker.follow.bind(asker);
  const commentsOfAuthor = (node: string) =>
    `query ($id: ID!) { commentsOfAuthor(authorId: $id, first: 20) { edges { cursor node { ${node} } } ${CURSORS} } }`;
  return {
    'Query.wall': {
      ask: (by, post) =>
        ask(by, `query ($id: ID!) { wall(userId: $id, first: 20) { ${LIST} } }`, { id: scene.ownerOf(post).id }),
    },
    'Query.profile': {
      ask: (by, post) =>
        ask(by, `query ($id: ID) { profile(userId: $id) { wall(first: 20) { ${LIST} } } }`, {
          id: scene.ownerOf(post).id,
        }),
    },
    'Query.findProfiles': {
      ask: (by, post) =>
        ask(
          by,
          `query ($name: String!) { findProfiles(namePrefix: $name, first: 2) { edges { node { wall(first: 20) { ${LIST} } } } } }`,
          { name: scene.ownerOf(post).name },
        ),
      reaches: (relation, post) => sees(relation, post) && isMember(relation, post),
    },
    'Query.incoming': { ask: (by) => ask(by, `{ incoming(first: 20) { ${LIST} } }`), reaches: isIncoming },
    'Query.news': { ask: (by) => ask(by, `{ news(first: 20) { ${LIST} } }`), reaches: hasInNews },
    'Query.commentsOfAuthor': { ask: (by) => ask(by, commentsOfAuthor(COMMENT), { id: scene.quoter.id }) },
    'Query.commentsOfAuthor, their texts': {
      ask: (by) => ask(by, commentsOfAuthor('text'), { id: scene.quoter.id }),
      sign: ofComment,
    },
    'Query.commentsToModerate': {
      ask: (by) => ask(by, `{ commentsToModerate { edges { cursor node { ${COMMENT} } } ${CURSORS} } }`),
      reaches: nobody, // an editor reads the comment that was reported, not what it is about
    },
    'Query.reportedPosts': {
      ask: (by) => ask(by, `{ reportedPosts(first: 20) { edges { cursor node { text } } ${CURSORS} } }`),
      reaches: isEditor,
    },
    'Subscription.wallChanged': {
      ask: (by, post) =>
        follow(by, `subscription ($id: ID!) { wallChanged(userId: $id) { posts { ${POST} } } }`, {
          id: scene.ownerOf(post).id,
        }),
    },
    'Subscription.newsChanged': {
      ask: (by) => follow(by, `subscription { newsChanged { posts { ${POST} } } }`),
      reaches: hasInNews,
    },
    'Subscription.incomingChanged': {
      ask: (by) => follow(by, `subscription { incomingChanged { posts { ${POST} } } }`),
      reaches: isIncoming,
    },
    'Subscription.commentsToModerateChanged': {
      ask: (by) => follow(by, `subscription { commentsToModerateChanged { comments { ${COMMENT} } } }`),
      reaches: nobody,
    },
  };
}
