export type { AccountHub, FollowOptions } from './hub.js';
export { Hub } from './hub.js';
export type { HubHealth, HubOptions } from './hub-options.js';
export type { Load } from './state-ledger.js';
export { StreamLoop } from './stream-loop.js';
export type { Consumer, Follow } from './subscriber.js';
