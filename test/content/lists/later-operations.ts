/** The contract's operations that are not there yet. */
import type { Reasons } from '../../support/domain/test-domain.js';

export const laterOperations: Reasons = {
  PostPage: 'ads come later',
  ProductAds: 'ads come later',
};
