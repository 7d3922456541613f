/** Analytics stores nothing about accounts. */
import type { ErasureRule, PersonalData } from '../personal-data.js';

const erasure: readonly ErasureRule[] = [
  {
    data: 'Hits, sessions and request logs',
    collections: [],
    becomes: 'KEPT',
    reason: 'Nothing in them names an account. Each site decides how long they are kept',
  },
];

export const personalData: PersonalData = {
  files: {},
  rows: async function* () {
    // there are none
  },
  erasure,
};
