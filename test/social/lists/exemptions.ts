/** Exemptions from the capture's rules for the queries and writes of the network. */
import type { Exemptions } from '../../support/domain/test-domain.js';

const ERASED = 'removes what the person has whose account was deleted; the next run removes what a crash leaves';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'delete many social.posts {_id: {$in}, live: {$exists: false}}': ERASED,
    'update many social.posts {about}':
      'what they are about is deleted, and shown to nobody; a courier repeats it after a crash',
    'update many social.posts {about: {$in}}':
      'what they are about is deleted, and shown to nobody; a courier repeats it after a crash',
    'delete many social.votes {post_id}':
      'the post is deleted, and takes no more of them; a courier repeats it after a crash',
    'delete many social.news {user_id}': ERASED,
    'delete many social.deliveries {_id: {$in}, open: {$exists: false}}': ERASED,
    'delete many social.deliveries {_id: {$gte, $lt}}': ERASED,
  },
};
