/** Comments in the audit trail. */
import type { CommentDesign } from '../../generated/graphql.js';
import { formatCountOf } from '../kit/base/format.js';
import type { DomainWords } from '../shell/domain-words.js';
import { designWords } from './design/design-words.js';

const VERBS: Readonly<Record<string, string>> = { PUBLISHED: 'Published', HIDDEN: 'Hid', DELETED: 'Deleted' };

const intoDesign = (design: string): string =>
  design in designWords ? designWords[design as CommentDesign].into : design;

export const words: DomainWords = {
  acts: {
    COMMENT_DESIGN_CHANGED: (detail) => {
      const [from = '', to = ''] = detail.split(' to ').map(intoDesign);
      return [`Started to move the comments from ${from} to ${to}:`];
    },
    COMMENTS_MODERATED: (detail) => {
      const [count, state = ''] = detail.split(' ');
      return [`${VERBS[state] ?? 'Moderated'} ${formatCountOf(Number(count), 'comment')} on`];
    },
  },
};
