export * from './collections/collection.js';
export * from './collections/counter.js';
export * from './collections/explain.js';
export * from './collections/feed.js';
export * from './collections/identity.js';
export * from './collections/lease.js';
export * from './collections/setting.js';
export * from './collections/snapshot.js';
export { lastWriteOf, noteWrite, timed, withWriteClock } from './collections/write-clock.js';
export * from './connection/clock.js';
export * from './connection/deployment.js';
export * from './connection/interruption.js';
export * from './connection/server-errors.js';
export * from './connection/unavailable.js';
export * from './feeds/changed-document.js';
export * from './feeds/document-feed.js';
export {
  type Gathering,
  type GroupKind,
  type GroupResult,
  isOutcomeUnknown,
  type Measure,
  outcomeOf,
  SeparateRecords,
} from './group-commit/group.js';
export * from './group-commit/group-commit.js';
export { turnsOf } from './group-commit/turns.js';
export * from './lists/in-order.js';
export * from './lists/newest-first.js';
export * from './lists/prefix.js';
export * from './lists/read-together.js';
export * from './lists/sealed-position.js';
export * from './writes/durability.js';
export * from './writes/idempotency.js';
export * from './writes/in-turn.js';
export * from './writes/transaction.js';
export * from './writes/write-command.js';
