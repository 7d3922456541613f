/** Exemptions from the capture's rules for the queries and writes of ads. */
import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'update many ad.zones {ads.campaign_id}':
      'takes a campaign out of all its zones, in a transaction with the campaign, which does not run any more',
  },
};
