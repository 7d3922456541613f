/** Content in the audit trail, and its scopes. */
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    NODE_DELETED: () => ['Moved to the trash:'],
    NODES_MIGRATED: () => ['Started the migration of content to'],
  },
  scopes: {
    CONTENT_READ: 'Read content in every state, with its versions',
    CONTENT_WRITE: 'Create, edit, publish, move and delete content',
  },
};
