/** `npm start`: builds what is stale, then runs the server in the same process, so that Ctrl+C reaches it. */
import { buildStale } from './build.mjs';

const LOOK_EVERY_MS = 200; // after Ctrl+C it is the second signal: soon enough to count as the same one
const parent = process.ppid;

buildStale();
if (process.env.npm_lifecycle_event === 'start') endWithParent();
await import('../dist/process/main.js');

/** npm passes a signal on to its shell. One that does not run the server in its own place ends, and would leave it without a parent. */
function endWithParent() {
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  look.unref();
}
