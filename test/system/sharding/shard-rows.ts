/** The row of the advice on shard keys, for the requests of the rows of the log. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';

const share = expect.any(Number);
const advice = (key: string) => ({
  key,
  inserts: [
    { shard: 0, share },
    { shard: 1, share },
  ],
  hottestShardShare: share,
  queries: ['events of a path', 'events of a host on a day', 'events of a day', 'requests by day and page, a week'].map(
    (name) => ({ name, shardsAsked: share }),
  ),
  note: expect.any(String),
});

export const shardRows: readonly Row[] = [
  {
    operation: 'ShardAdvice',
    variables: { sample: 1000, shards: 2 },
    expected: { shardAdvice: ['{time: 1}', '{_id: "hashed"}', '{path: 1}', '{path: 1, ssk: 1}'].map(advice) },
  },
];
