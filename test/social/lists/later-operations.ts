/** The contract's operations that are not there yet. */
import type { Reasons } from '../../support/domain/test-domain.js';

export const laterOperations: Reasons = {
  SharedThings: 'it names characters of the game, which comes later',
};
