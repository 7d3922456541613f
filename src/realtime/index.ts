export type { FollowOptions, HubHealth, HubOptions } from './hub.js';
export { Hub } from './hub.js';
export type { Consumer, Follow } from './subscriber.js';
