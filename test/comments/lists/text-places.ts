/** The texts in the mutations of comments. */
import { call, type TextPlaces } from '../../support/domain/text-places.js';

export const textPlaces: TextPlaces = {
  names: {
    'reportComment.reason': (reason) => call('reportComment(id: "none", reason: $v)', 'String!', reason),
  },
  others: [
    'postComment.text', // Markdown of several lines, in any language
    'postComment.authorName', // of visitors: see `test/comments/comment.test.ts`
    'editComment.text',
  ],
};
