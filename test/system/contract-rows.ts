export { shardRows as contractRows } from './sharding/shard-rows.js';
