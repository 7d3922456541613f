/** The import rules: each one reports its violation. The files exist only in a temporary folder. */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';

const forbidden = [
  ['src/shared', '../database/index.js'],
  ['src/shared', '../config/config.js'],
  ['src/config', '../models/analytics/site.js'],
  ['src/database', '../models/analytics/site.js'],
  ['src/database/embedded', '../../server/index.js'],
  ['src/models/analytics/log', '../../../server/index.js'],
  ['src/models/analytics', '../../resolvers/analytics/site.js'],
  ['src/models/analytics', '../../realtime/index.js'],
  ['src/models/analytics', '../../config/config.js'],
  ['src/models/analytics', '../commerce/store.js'],
  ['src/models/people', '../analytics/site.js'],
  ['src/models/notes', '../commerce/store.js'], // a domain that is in no list
  ['src/resolvers/notes', '../commerce/order.js'],
  ['web/src/notes', '../commerce/section.js'],
  ['src/models/analytics', 'graphql'],
  ['src/realtime', '../server/index.js'],
  ['src/realtime', '../models/analytics/site.js'],
  ['src/realtime', 'graphql-ws'],
  ['src/jobs', '../resolvers/index.js'],
  ['src/resolvers', '../jobs/index.js'],
  ['src/resolvers/analytics', 'mongodb'],
  ['src/resolvers/analytics', '../../realtime/index.js'],
  ['src/resolvers/analytics', '../../server/transports/http.js'],
  ['src/server', '../cli/main.js'],
  ['src/server', '../jobs/index.js'],
  ['src/server', '../resolvers/index.js'],
  ['web/src/kit/base', '../../api/client.js'],
  ['web/src/shell', '../analytics/section.js'],
  ['web/src/analytics', '../commerce/stock.js'],
  ['bench', '../test/support/server.js'],
] as const;

const allowed = [
  ['src/shared', './errors.js'],
  ['src/database', '../shared/time.js'],
  ['src/database/embedded', '../connection/database-error.js'],
  ['src/models/analytics/log', '../../../database/index.js'],
  ['src/models/analytics', '../people/user.js'],
  ['src/models/analytics', 'mongodb'],
  ['src/jobs', '../database/index.js'],
  ['src/resolvers/analytics', '../../models/analytics/site.js'],
  ['src/resolvers/analytics', '../../server/context/context.js'],
  ['src/resolvers/analytics', '../../server/identity/viewer.js'],
  ['src/server', '../models/analytics/site.js'],
  ['src/server/operations', '../limits/backlog.js'],
  ['src/cli', '../server/index.js'],
  ['web/src/commerce/storefront', '../../people/entrance/account.js'],
  ['bench', '../harness/product.js'],
] as const;

const importing = (from: string) => `import { it } from '${from}';\n\nit();\n`;

/** Runs a command in a folder that has only these files. */
async function inFolderOf<T>(files: Readonly<Record<string, string>>, run: (folder: string) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-rules-'));
  try {
    for (const [path, source] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), source);
    }
    for (const name of ['biome.json', '.gitignore']) await copyFile(join(projectRoot, name), join(folder, name));
    return run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What `scripts/check-imports.mjs` reports. */
const checkImports = (files: Readonly<Record<string, string>>): Promise<string[]> =>
  inFolderOf(files, (folder) => {
    const checker = join(projectRoot, 'scripts/check-imports.mjs');
    const { stderr } = spawnSync(process.execPath, [checker, folder], { encoding: 'utf8' });
    return stderr.split('\n').slice(0, -2);
  });

describe('the import rules', () => {
  it.each(forbidden)('forbid %s to import %s', async (folder, from) => {
    const [fault, ...others] = await checkImports({ [`${folder}/probe.ts`]: importing(from) });
    expect(fault).toMatch(new RegExp(`^${folder}/probe\\.ts imports .+ may not$`));
    expect(others).toEqual([]);
  });

  it.each(allowed)('allow %s to import %s', async (folder, from) => {
    expect(await checkImports({ [`${folder}/probe.ts`]: importing(from) })).toEqual([]);
  });

  it('allow schema.ts, as the only file of the server, to import the resolvers', async () => {
    const schema = { 'src/server/operations/schema.ts': importing('../../resolvers/index.js') };
    expect(await checkImports(schema)).toEqual([]);
  });

  it('forbid cycles of files', async () => {
    const faults = await checkImports({
      'src/models/a.ts': importing('./b.js'),
      'src/models/b.ts': `export const b = () => import('./a.js');\n`,
    });
    expect(faults).toEqual(['cycle of files: src/models/a.ts, src/models/b.ts']);
  });

  it('forbid cycles of folders', async () => {
    const faults = await checkImports({
      'src/models/people/a.ts': importing('./names/b.js'),
      'src/models/people/names/b.ts': '\n',
      'src/models/people/names/c.ts': importing('../d.js'),
      'src/models/people/d.ts': '\n',
    });
    expect(faults).toEqual(['cycle of folders: src/models/people, src/models/people/names']);
  });
});

describe('the linter', () => {
  it('allows only the configuration and the command line to read the environment', async () => {
    const paths = ['src/server/probe.ts', 'src/models/analytics/probe.ts', 'src/config/config.ts', 'src/cli/probe.ts'];
    const files = Object.fromEntries(paths.map((path) => [path, 'export const home = process.env.HOME;\n']));
    const found = await inFolderOf(files, (folder) => {
      const biome = join(projectRoot, 'node_modules/.bin/biome');
      const { stdout } = spawnSync(biome, ['lint', '--reporter=github', '--max-diagnostics=none'], {
        cwd: folder,
        encoding: 'utf8',
      });
      return [...stdout.matchAll(/^::error title=(\S+?),file=([^,]+)/gm)].map(
        ([, rule, path = '']) => `${relative(folder, path)}: ${rule}`,
      );
    });
    expect(found.toSorted()).toEqual([
      'src/models/analytics/probe.ts: lint/style/noProcessEnv',
      'src/server/probe.ts: lint/style/noProcessEnv',
    ]);
  });
});
