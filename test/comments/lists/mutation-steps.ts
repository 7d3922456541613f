/** The mutations of comments, on a page of content. Each step needs the previous ones. */
import type { MutationStep } from '../../support/domain/mutation-step.js';

export const mutationSteps: readonly MutationStep[] = [
  {
    mutation: 'createNode',
    text: () =>
      '(input: { type: PAGE, title: "Commented", publishedAt: "2026-01-01T00:00:00Z" }) { ... on Page { id } }',
    tells: ({ id }) => ({ commented: String(id) }),
  },
  {
    mutation: 'postComment',
    text: ({ commented }) => `(nodeId: "${commented}", text: "First") { ... on Comment { id } }`,
    tells: ({ id }) => ({ comment: String(id) }),
  },
  { mutation: 'editComment', text: ({ comment }) => `(id: "${comment}", text: "Second") { __typename }` },
  { mutation: 'reportComment', text: ({ comment }) => `(id: "${comment}", reason: "Rude") { reported }` },
  { mutation: 'moderateComments', text: ({ comment }) => `(ids: ["${comment}"], state: HIDDEN) { moderated }` },
  { mutation: 'deleteComment', text: ({ comment }) => `(id: "${comment}") { __typename }` },
  { mutation: 'changeCommentPolicy', text: ({ commented }) => `(nodeId: "${commented}", policy: EVERYBODY) { id }` },
  {
    mutation: 'changeCommentDesign',
    text: ({ commented }) => `(nodeId: "${commented}", design: HYBRID) { __typename }`,
  },
  { mutation: 'exportComments', text: ({ commented }) => `(nodeId: "${commented}") { id }` },
];
