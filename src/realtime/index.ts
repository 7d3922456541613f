export type { Follow, FollowOptions, Hub } from './hub.js';
