/** The contract's operations that are not there yet. */
import type { Reasons } from '../../support/domain/test-domain.js';

const SOCIAL = 'the network and its profiles come later';

export const laterOperations: Reasons = {
  ProductDiscussion: SOCIAL,
  PostPage: 'comments and ads come later',
  SharedThings: SOCIAL,
  PersonOfTheProduct: SOCIAL,
  ProductAds: 'ads come later',
};
