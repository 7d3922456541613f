/**
 * `npm run dev`: the server is compiled and started again when its sources or its schema change, and the dashboard is served by
 * Vite, which passes the API on. Ends with Ctrl-C.
 */
import { spawn, spawnSync } from 'node:child_process';
import { utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const bin = (name) => join('node_modules/.bin', name);
const SERVER = 'dist/main.js';
const SETTLE_MS = 200; // editors write a file in several steps

const generate = () => spawnSync(bin('graphql-codegen'), ['--config', 'codegen.yml', '--silent'], { stdio: 'inherit' });

/** The server reads the schema's files itself: `node --watch`, which follows imports, does not know of them. */
function restartServer() {
  const now = new Date();
  utimesSync(SERVER, now, now);
}

function onChange(folder, work) {
  let timer;
  watch(folder, { recursive: true }, (_event, name) => {
    if (!/\.(graphql|tsx?)$/.test(name ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(work, SETTLE_MS);
  });
}

generate();
spawnSync(bin('tsc'), ['-p', 'tsconfig.build.json'], { stdio: 'inherit' }); // errors are shown; what compiles runs
onChange('schema', () => {
  generate();
  restartServer();
});
onChange('web/src', generate);

const processes = [
  [bin('tsc'), '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  [process.execPath, '--watch', '--watch-preserve-output', '--enable-source-maps', SERVER],
  [bin('vite'), 'web'],
].map(([command, ...parameters]) => spawn(command, parameters, { stdio: 'inherit', detached: true })); // groups of their own

const stop = () => {
  for (const { pid } of processes) endGroup(pid);
  process.exit();
};

/** The compiler's command starts another process, which its own end would leave behind. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {} // it has ended
}

process.once('SIGINT', stop).once('SIGTERM', stop);
for (const child of processes) child.once('exit', stop); // one that is missing is not development: say so by ending
