/** The game in the audit trail. */
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    RELOCATED: (place) => ['Moved', place === '' ? '' : `to ${place}`],
    CHARACTER_MUTED: (until) => (until === '' ? ['Let', 'speak again'] : ['Kept', `from speaking until ${until}`]),
    WORLD_IMPORTED: (prefix) => [prefix === '' ? 'Imported a world:' : `Imported a world as ${prefix}:`],
  },
};
