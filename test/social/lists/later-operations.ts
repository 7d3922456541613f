/** The contract's operations that are not there yet. */
import type { Reasons } from '../../support/domain/test-domain.js';

export const laterOperations: Reasons = {
  PostShardAdvice: 'advice on shard keys of the network comes later',
  SharedThings: 'it names characters of the game, which comes later',
};
