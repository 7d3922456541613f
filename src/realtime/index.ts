export type { FollowOptions, HubHealth, HubOptions } from './hub.js';
export { Hub } from './hub.js';
export { StreamLoop } from './stream-loop.js';
export type { Consumer, Follow } from './subscriber.js';
