/**
 * Builds what is missing or older than its sources, so that `npm start` on a built project starts immediately.
 * Usage: node scripts/build.mjs [server] [web] [--force]; without a name it builds both.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const SHARED = ['schema', 'codegen.yml', 'scripts/resolver-types.mjs', 'package-lock.json'];
const parts = {
  server: {
    sources: ['src', 'tsconfig.json', 'tsconfig.build.json', ...SHARED],
    command: ['tsc', '-p', 'tsconfig.build.json'],
  },
  web: { sources: ['web', ...SHARED], command: ['vite', 'build', 'web', '--logLevel', 'warn'] },
};
/** The file that lists the sources of a built part. Its modification time is the start of the build. */
const stampOf = (name) => join('dist', `.${name}`);

/** Generated files are not sources. */
const MADE = new Set(['generated', 'node_modules']);

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => !MADE.has(name));
  return names.flatMap((name) => filesIn(join(path, name)));
}

const sourcesOf = (name) => parts[name].sources.flatMap(filesIn).sort();

function isStale(name) {
  const stamp = stampOf(name);
  if (!existsSync(stamp)) return true;
  const files = sourcesOf(name);
  if (files.join('\n') !== readFileSync(stamp, 'utf8')) return true; // a file was added or removed
  const builtAt = statSync(stamp).mtimeMs;
  return files.some((file) => statSync(file).mtimeMs > builtAt);
}

function build(name) {
  console.error(name === 'web' ? 'Building the dashboard' : 'Building the server');
  const startedAt = new Date(); // a source that changes during the build is newer than this
  const files = sourcesOf(name);
  run(...parts[name].command);
  if (name === 'server') {
    removeLeftovers('dist', 'src');
    chmodSync('dist/cli/main.js', 0o755); // npm does so only for files that exist when it installs
  }
  mkdirSync('dist', { recursive: true });
  writeFileSync(stampOf(name), files.join('\n'));
  utimesSync(stampOf(name), startedAt, startedAt);
}

function run(command, ...parameters) {
  const path = join('node_modules/.bin', command);
  if (!existsSync(path)) fail(`${command} is missing: run \`npm ci\`, with development dependencies`);
  const { status } = spawnSync(path, parameters, { stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${command} failed, see above`);
}

/** Removes from `made` the output of deleted sources, so that no import can find it. */
function removeLeftovers(made, sources) {
  for (const entry of readdirSync(made, { withFileTypes: true })) {
    if (entry.name === 'web' || entry.name.startsWith('.')) continue;
    const [path, source] = [join(made, entry.name), join(sources, entry.name.replace(/\.js(\.map)?$/, '.ts'))];
    if (!existsSync(source)) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) removeLeftovers(path, source);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Builds the named parts that are stale, or all named parts with `force`. */
export function buildStale(names = Object.keys(parts), force = false) {
  const stale = names.filter((name) => force || isStale(name));
  if (stale.length > 0) run('graphql-codegen', '--config', 'codegen.yml', '--silent');
  for (const name of stale) build(name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = Object.keys(parts).filter((name) => process.argv.includes(name));
  buildStale(named.length > 0 ? named : undefined, process.argv.includes('--force'));
}
