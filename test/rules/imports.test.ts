import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';

const forbidden = [
  ['src/shared', '../database/index.js'],
  ['src/shared', '../config.js'],
  ['src/database', '../models/analytics/site.js'],
  ['src/database/embedded', '../../server/index.js'],
  ['src/models', '../server/index.js'],
  ['src/models/analytics', '../../resolvers/analytics/site.js'],
  ['src/models/analytics', '../../realtime/index.js'],
  ['src/models/analytics', '../../config.js'],
  ['src/models/analytics', 'graphql'],
  ['src/realtime', '../server/index.js'],
  ['src/realtime', 'graphql-ws'],
  ['src/jobs', '../resolvers/index.js'],
  ['src/resolvers', '../jobs/index.js'],
  ['src/resolvers/analytics', 'mongodb'],
  ['src/resolvers/analytics', '../../realtime/index.js'],
  ['src/resolvers/analytics', '../../server/http.js'],
  ['src/server', '../cli/main.js'],
  ['src/server', '../jobs/index.js'],
  ['src/server', '../resolvers/index.js'],
] as const;

const allowed = [
  ['src/shared', './errors.js'],
  ['src/database', '../shared/time.js'],
  ['src/database/embedded', '../database-error.js'],
  ['src/models/analytics', '../../database/index.js'],
  ['src/models/analytics', '../people/user.js'],
  ['src/models/analytics', 'mongodb'],
  ['src/realtime', '../models/analytics/hit.js'],
  ['src/jobs', '../database/index.js'],
  ['src/resolvers/analytics', '../../models/analytics/site.js'],
  ['src/resolvers/analytics', '../../server/context.js'],
  ['src/resolvers/analytics', '../../server/viewer.js'],
  ['src/server', '../models/analytics/site.js'],
  ['src', './jobs/index.js'],
  ['src/cli', '../server/index.js'],
] as const;

const readsEnvironment = 'export const home = process.env.HOME;\n';
const importing = (from: string) => `import { it } from '${from}';\n\nit();\n`;
/** A separate file for each case. */
const probe = (folder: string, from: string) => `${folder}/probe-${from.replaceAll(/[^a-z]+/g, '-')}.ts`;

/** The linter's findings for files that exist only in a copy of the project's folders, by path. */
async function lint(files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-lint-'));
  try {
    for (const name of ['biome.json', '.gitignore']) await copyFile(join(projectRoot, name), join(folder, name));
    for (const [path, source] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), source);
    }
    const biome = join(projectRoot, 'node_modules/.bin/biome');
    const { stdout } = spawnSync(biome, ['lint', '--reporter=github', '--max-diagnostics=none'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const found = new Map<string, string[]>([...files.keys()].map((path) => [path, []]));
    for (const [, rule = '', path = ''] of stdout.matchAll(/^::error title=(\S+?),file=([^,]+)/gm)) {
      found.get(relative(folder, path))?.push(rule);
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the linter', () => {
  let findings: ReadonlyMap<string, string[]>;
  beforeAll(async () => {
    const imports = [...forbidden, ...allowed].map(([folder, from]) => [probe(folder, from), importing(from)] as const);
    const environment = [
      'src/server/probe.ts',
      'src/models/analytics/probe.ts',
      'src/config/config.ts',
      'src/cli/probe.ts',
    ];
    const schema = ['src/server/operations/schema.ts', importing('../resolvers/index.js')] as const;
    findings = await lint(
      new Map([...imports, schema, ...environment.map((path) => [path, readsEnvironment] as const)]),
    );
  });

  it.each(forbidden)('forbids that %s imports %s', (folder, from) => {
    expect(findings.get(probe(folder, from))).toEqual(['lint/style/noRestrictedImports']);
  });

  it.each(allowed)('allows %s to import %s', (folder, from) => {
    expect(findings.get(probe(folder, from))).toEqual([]);
  });

  it('allows only the schema, of the server, to import the resolvers, which avoids import cycles', () => {
    expect(findings.get('src/server/operations/schema.ts')).toEqual([]);
  });

  it('allows only the configuration and the command line to read the environment', () => {
    expect(findings.get('src/server/probe.ts')).toEqual(['lint/style/noProcessEnv']);
    expect(findings.get('src/models/analytics/probe.ts')).toEqual(['lint/style/noProcessEnv']);
    expect(findings.get('src/config/config.ts')).toEqual([]);
    expect(findings.get('src/cli/probe.ts')).toEqual([]);
  });
});
