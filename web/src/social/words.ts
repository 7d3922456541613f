/** The network in the audit trail. */
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    POST_DELETED: (author) => [author === '' ? 'Deleted a post:' : `Deleted a post by ${author}:`],
    POST_REPORTS_DISMISSED: () => ['Dismissed the reports of a post:'],
    NEWS_REBUILT: (person) => [person === '' ? 'Rebuilt the news of' : `Rebuilt the news of ${person}:`],
    NETWORK_IMPORTED: (source) => [source === '' ? 'Imported a network:' : `Imported the network ${source}:`],
  },
};
