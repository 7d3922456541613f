/** Comments for moderators: what was held or reported waits for their decision. */
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';
import { WaitingMark } from './moderation/waiting-mark.js';

export const commentsSection: Section = {
  name: 'Comments',
  icon: 'comment',
  role: 'EDITOR',
  Mark: WaitingMark,
  pages: [
    {
      path: '/comments',
      name: 'Moderation',
      Content: lazyPage(() => import('./moderation/moderation-page.js').then((module) => module.ModerationPage)),
    },
  ],
};
