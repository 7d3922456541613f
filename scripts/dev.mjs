/**
 * `npm run dev`: recompiles and restarts the server when its sources or its schema change, and serves the dashboard with
 * Vite, which proxies the API. Stop it with Ctrl-C.
 */
import { spawn, spawnSync } from 'node:child_process';
import { utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const bin = (name) => join('node_modules/.bin', name);
const SERVER = 'dist/process/main.js';
const SETTLE_MS = 200; // editors write a file in several steps

const generate = () => spawnSync(bin('graphql-codegen'), ['--config', 'codegen.yml', '--silent'], { stdio: 'inherit' });

/** The server reads the schema's files itself: `node --watch`, which follows imports, does not see them. */
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
].map(([command, ...parameters]) => spawn(command, parameters, { stdio: 'inherit', detached: true })); // each in its own group

const stop = () => {
  for (const { pid } of processes) endGroup(pid);
  process.exit();
};

/** Ends the whole group: the compiler's command starts another process, which would outlive it. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {} // it has exited
}

process.once('SIGINT', stop).once('SIGTERM', stop);
for (const child of processes) child.once('exit', stop); // development needs all of them: stop when one exits
