/** The contract's operations of the system. They run last: on the data of all other rows. */
import type { Row } from '../contract/row.js';
import { shardRows } from './sharding/shard-rows.js';

export const contractRows: readonly Row[] = [
  ...shardRows,
  { operation: 'Violations', variables: {}, expected: { violations: [] } },
];
