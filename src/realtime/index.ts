export type { Load } from './channels/state-ledger.js';
export type { Consumer, Follow } from './channels/subscriber.js';
export { type Guard, guardFollow, isGuarded, type Sight } from './guarded-follow.js';
export type { AccountHub, FollowOptions } from './hub.js';
export { Hub } from './hub.js';
export type { HubHealth, HubOptions } from './hub-options.js';
export { StreamLoop } from './stream/stream-loop.js';
