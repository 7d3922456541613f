/** `npm start`: builds what is stale, then runs the server in the same process, so that signals reach it. */
import { buildStale } from './build.mjs';

buildStale();
await import('../dist/process/main.js');
