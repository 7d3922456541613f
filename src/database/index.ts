export * from './collection.js';
export * from './deployment.js';
export * from './durability.js';
export * from './explain.js';
export * from './feed.js';
export * from './interruption.js';
export * from './lease.js';
export * from './transaction.js';
