/** Exemptions from the capture's rules for the queries and writes of ads. */
import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {
  queries: {
    'aggregate ad.receipts $match {expires_at: {$in}, _id: {$regex}}, $group, $sort {_id: 1}': {
      allow: ['SORT'],
      reason: 'of the doctor: sorts the sums of the zones of one hour, which may use the disk',
    },
  },
  multiDocumentWrites: {
    'update many ad.zones {ads.campaign_id}':
      'takes a campaign out of all its zones, in a transaction with the campaign, which does not run any more',
  },
};
