/** `npm start`: builds what is stale, then is the server, in the same process, so that signals reach it. */
import { buildStale } from './build.mjs';

buildStale();
await import('../dist/main.js');
