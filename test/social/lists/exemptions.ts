/** Exemptions from the capture's rules for the queries and writes of the network. */
import type { Exemptions } from '../../support/domain/test-domain.js';

const ERASED = 'removes what the person has whose account was deleted; the next run removes what a crash leaves';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'delete many social.posts {author_id}': ERASED,
    'delete many social.news {user_id}': ERASED,
    'delete many social.deliveries {open, reader_id}': ERASED,
    'delete many social.followers {user_id}': ERASED,
  },
};
