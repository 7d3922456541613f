/** The pages of system. */
import type { NarrowPages } from '../../browser/support/narrow-pages.js';

export const narrowPages: NarrowPages = {
  forAdministrators: [
    ['/system', '/system', 'Realtime'],
    ['/system/shards', '/system/shards', 'Simulate again'],
    ['/system/work', '/system/work', 'Form of stored nodes'],
  ],
};
