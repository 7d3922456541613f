import type { TestDomain } from '../support/domain/test-domain.js';
import { exemptions } from './lists/exemptions.js';

export const ads: TestDomain = {
  name: 'ads',
  exemptions,
  signs: {
    rootFields: ['advertisers', 'campaigns', 'zones', 'decideAds', 'addAdvertiser', 'saveZone', 'campaignChanged'],
    node: 'Campaign',
    shardSubject: 'ZONES',
  },
};
