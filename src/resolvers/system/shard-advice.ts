/** Advice on shard keys. */
import type { QueryResolvers, ShardAdviceResolvers, ShardPhaseResolvers } from '../../generated/resolvers.js';
import { findShardAdvice } from '../../models/system/sharding/shard-advice.js';

const byShard = (shares: readonly number[]) => shares.map((share, shard) => ({ shard, share }));
const toDate = (time: number | null) => (time === null ? null : new Date(time));

export const ShardPhase: Pick<ShardPhaseResolvers, 'from' | 'to' | 'shares'> = {
  from: ({ from }) => toDate(from),
  to: ({ to }) => toDate(to),
  shares: ({ shares }) => byShard(shares),
};

export const ShardAdvice: Pick<ShardAdviceResolvers, 'inserts' | 'queries'> = {
  inserts: ({ inserts }) => byShard(inserts),
  queries: ({ queries, shards }) =>
    queries.map(({ name, shardsAsked }) => ({ name, shardsAsked, shareOfShards: shardsAsked / shards })),
};

export const Query: Pick<QueryResolvers, 'shardAdvice'> = {
  shardAdvice: (_root, input, { db, config }) => findShardAdvice(db, input, config.DOMAINS),
};
