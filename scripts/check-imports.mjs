/**
 * The import rules of the project: which folder may import which. Prints each import that breaks a rule, and each cycle of files or
 * folders.
 * Part of `npm run lint`. Usage: node scripts/check-imports.mjs [the project's folder]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** Per folder: the folders that it may import besides itself. The longest matching folder counts. */
const ARROWS = {
  'src/shared': [],
  'src/config': ['src/shared'],
  'src/database': ['src/shared'],
  'src/database/open-database.ts': ['src/shared', 'src/config/config.ts'],
  'src/models': ['src/shared', 'src/database'],
  'src/models/people': [
    'src/shared',
    'src/database',
    'src/models/commentable.ts',
    'src/models/domain.ts',
    'src/models/personal-data.ts',
  ],
  'src/models/system': ['src/shared', 'src/database', 'src/models'],
  'src/models/system/assets': ['src/shared', 'src/database', 'src/models/domain.ts', 'src/models/people'],
  'src/models/system/sample-pictures': ['src/shared', 'src/models/system/assets', 'src/models/work.ts'],
  'src/domains.ts': ['src/shared', 'src/models'],
  'src/realtime': ['src/shared', 'src/database'],
  'src/jobs': ['src/shared', 'src/database', 'src/models', 'src/domains.ts'],
  'src/resolvers': [
    'src/shared',
    'src/generated',
    'src/models',
    'src/database/index.ts',
    'src/server/context',
    'src/server/identity/viewer.ts',
  ],
  'src/resolvers/joins': ['src/shared', 'src/generated', 'src/models', 'src/server/context', 'src/resolvers'],
  'src/server': ['src/shared', 'src/config', 'src/database', 'src/models', 'src/realtime', 'src/domains.ts'],
  'src/server/operations/schema.ts': [
    'src/shared',
    'src/config',
    'src/server',
    'src/resolvers/index.ts',
    'src/domains.ts',
  ],
  'src/terminal': ['src/shared', 'src/config', 'src/database'],
  'src/process': ['src'],
  'src/cli': ['src'],
  'src/generated': ['src'],
  'web/src/kit': ['web/generated'],
  'web/src/kit/lists': ['web/generated', 'web/src/kit', 'web/src/api'],
  'web/src/api': ['web/generated', 'web/src/kit/base'],
  'web/src/shell': ['web/generated', 'web/src/kit', 'web/src/api'],
  'web/src/comments': ['web/generated', 'web/src/kit', 'web/src/api', 'web/src/shell'],
  'web/src/people': ['web/generated', 'web/src/kit', 'web/src/api', 'web/src/shell'],
  'web/src/system': ['web/generated', 'web/src/kit', 'web/src/api', 'web/src/shell', 'web/src/analytics/sites'],
  'web/src': ['web'],
  'web/generated': [],
  bench: ['src', 'harness'],
  harness: ['src'],
};

/** What every domain may use besides its own folders: comments, people and system are always on, any other domain may be off. */
const OF_DOMAINS = {
  'src/models': [
    'src/shared',
    'src/database',
    'src/models/commentable.ts',
    'src/models/domain.ts',
    'src/models/personal-data.ts',
    'src/models/work.ts',
    'src/models/seed.ts',
    'src/models/comments',
    'src/models/people',
    'src/models/system/assets',
    'src/models/system/sample-pictures',
    'src/models/system/work',
  ],
  'src/resolvers': [
    'src/shared',
    'src/generated',
    'src/models/domain.ts',
    'src/models/comments',
    'src/models/people',
    'src/models/system/work',
    'src/models/work.ts',
    'src/models/system/assets',
    'src/database/index.ts',
    'src/server/context',
    'src/server/identity/viewer.ts',
    'src/resolvers/support',
    'src/resolvers/comments',
    'src/resolvers/people',
  ],
  'web/src': ['web/generated', 'web/src/kit', 'web/src/api', 'web/src/shell', 'web/src/comments', 'web/src/people'],
};

/** Domains that run only together with others, which they may import (`NEEDED_DOMAINS` in `src/config/config.ts`). */
const NEEDED_DOMAINS = { ads: ['analytics', 'commerce'] };

/** Adds the rows of each domain, by folder name. The folders excluded here are no domains, or have rows in the table above. */
function addRowsOfDomains() {
  const isDomain = (name) =>
    !['comments', 'people', 'system', 'support', 'joins', 'kit', 'api', 'shell'].includes(name);
  for (const [folder, allowed] of Object.entries(OF_DOMAINS)) {
    if (!existsSync(join(root, folder))) continue;
    const names = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of names.filter(({ name }) => isDomain(name))) {
      const needed = NEEDED_DOMAINS[name] ?? [];
      const whole = [...allowed, ...needed.map((other) => `${folder}/${other}`)];
      const models = [name, ...needed].map((own) => `src/models/${own}`);
      ARROWS[`${folder}/${name}`] = folder === 'src/resolvers' ? [...whole, ...models] : whole;
    }
  }
}

addRowsOfDomains();

/** Packages that a folder may not import: GraphQL and HTTP belong to the server, MongoDB to the models. */
const SERVER_PACKAGES = /^(graphql|graphql-.*|@apollo\/.*|fastify|@fastify\/.*|ws)(\/|$)/;
const FORBIDDEN_PACKAGES = {
  'src/shared': SERVER_PACKAGES,
  'src/database': SERVER_PACKAGES,
  'src/models': SERVER_PACKAGES,
  'src/realtime': SERVER_PACKAGES,
  'src/jobs': SERVER_PACKAGES,
  'src/resolvers': /^mongodb(\/|$)/,
};

/** Folders whose files and folders must not form a cycle. */
const WITHOUT_CYCLES = ['src', 'web/src', 'bench', 'harness'];

const IMPORT = /(?:^|[;\s])(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|(?:^|[;\s])import\s*\(?\s*'([^']+)'/g;

const isBelow = (path, folder) => path === folder || path.startsWith(`${folder}/`);
const findRule = (rules, path) =>
  Object.keys(rules)
    .filter((folder) => isBelow(path, folder))
    .reduce((longest, folder) => (folder.length > longest.length ? folder : longest), '');

function readFiles() {
  const folders = ['src', 'web/src', 'web/generated', 'bench', 'harness'].filter((name) =>
    existsSync(join(root, name)),
  );
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path));
}

/** @returns for each file, what it imports: files of the project by path, packages by name */
function readImports(files) {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
      const names = [...text.matchAll(IMPORT)].map(([, from, directly]) => from ?? directly);
      return [file, names.map((name) => resolve(file, name, known))];
    }),
  );
}

function resolve(file, name, known) {
  if (!name.startsWith('.')) return { name, isPackage: true };
  const path = posix.join(posix.dirname(file), name);
  const found = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((each) => known.has(each));
  return { name: found ?? path.replace(/\.js$/, '.ts'), isPackage: false };
}

function findForbidden(imports) {
  const found = [];
  for (const [file, named] of imports) {
    const rule = findRule(ARROWS, file);
    const allowed = [rule.includes('.') ? posix.dirname(rule) : rule, ...(ARROWS[rule] ?? [])];
    const packages = FORBIDDEN_PACKAGES[findRule(FORBIDDEN_PACKAGES, file)];
    for (const { name, isPackage } of named) {
      const isAllowed = isPackage ? !packages?.test(name) : allowed.some((folder) => isBelow(name, folder));
      if (!isAllowed) found.push(`${file} imports ${name}: ${rule || 'it'} may not`);
    }
  }
  return found;
}

/** @param edges which node leads to which @returns the strongly connected groups of more than one node (Tarjan's algorithm) */
function findCycles(edges) {
  const [index, low, stack, cycles] = [new Map(), new Map(), [], []];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const cycle = stack.splice(stack.indexOf(node));
    if (cycle.length > 1) cycles.push(cycle);
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return cycles;
}

function edgesBelow(folder, imports, nodeOf) {
  const edges = new Map();
  for (const [file, named] of imports) {
    if (!isBelow(file, folder)) continue;
    const node = nodeOf(file);
    if (!edges.has(node)) edges.set(node, new Set());
    for (const { name, isPackage } of named)
      if (!isPackage && isBelow(name, folder) && nodeOf(name) !== node) edges.get(node).add(nodeOf(name));
  }
  return edges;
}

const isGenerated = ({ name }) => name.includes('generated/');

function check() {
  const all = readImports(readFiles());
  // The generated types name types of resolvers and models, which import them in turn: this does not count as a cycle.
  const written = new Map(
    [...all]
      .filter(([file]) => !isGenerated({ name: file }))
      .map(([file, named]) => [file, named.filter((each) => !isGenerated(each))]),
  );
  const cycles = WITHOUT_CYCLES.flatMap((folder) => [
    ...findCycles(edgesBelow(folder, written, (path) => path)).map((files) => `cycle of files: ${files.join(', ')}`),
    ...findCycles(edgesBelow(folder, written, dirname)).map((folders) => `cycle of folders: ${folders.join(', ')}`),
  ]);
  return [...findForbidden(all), ...cycles];
}

const faults = check();
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(
    `${faults.length} violations of the rules in ${relative(process.cwd(), fileURLToPath(import.meta.url))}`,
  );
  process.exitCode = 1;
}
