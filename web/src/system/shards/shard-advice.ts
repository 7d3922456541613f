/** The simulated effect of one shard key. */
import type { ShardAdviceQuery } from '../../../generated/graphql.js';

export type KeyAdvice = ShardAdviceQuery['shardAdvice'][number];
