/** Rules that lint cannot hold: they read the code. */
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeLines, importsOf, readSources, type SourceFile } from './source-files.js';

const LINES_MAX = 350; // a file of about 300 lines can be read in one sitting
const source = readSources('src');

/** Which part of `src` may import which others; its own is always allowed. Everybody may import `shared`. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'config', 'database', 'models', 'realtime', 'server', 'jobs', 'shutdown', 'welcome'],
  shutdown: [],
  welcome: [],
  config: [],
  cli: ['main', 'config', 'database', 'models', 'server', 'jobs'],
  server: ['config', 'resolvers', 'realtime', 'models', 'database', 'jobs', 'generated'],
  resolvers: ['models', 'database', 'generated', 'server'],
  jobs: ['models', 'database'],
  realtime: ['database', 'models'],
  models: ['database'],
  database: ['config'], // its type: open-database.ts takes the settings as a whole
  generated: ['server', 'models'],
  shared: [],
};

const partOf = (path: string): string => /^src\/([^/.]+)/.exec(path)?.[1] ?? '';

/** Imports of our own files, as paths from the project's root. */
const ownImports = (file: SourceFile): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file.path), name)));

describe('the code', () => {
  it('has no file that is too long to read', () => {
    const all = ['src', 'test', 'bench'].flatMap(readSources);
    const long = all
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > LINES_MAX);
    expect(long).toEqual([]);
  });

  it('imports only along the arrows', () => {
    const wrong = source.flatMap((file) => {
      const part = partOf(file.path);
      const allowed = [part, 'shared', ...(arrows[part] ?? [])];
      return ownImports(file)
        .filter((path) => !allowed.includes(partOf(path)))
        .map((path) => `${file.path} imports ${path}`);
    });
    expect(wrong).toEqual([]);
  });

  it('keeps GraphQL and HTTP out of the models, the database and what is shared', () => {
    const wrong = source
      .filter(({ path }) => ['models', 'database', 'shared'].includes(partOf(path)))
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => OUTER.test(name))
          .map((name) => `${file.path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it("keeps MongoDB's operators out of the resolvers", () => {
    const wrong = source
      .filter(({ path }) => partOf(path) === 'resolvers')
      .flatMap((file) =>
        codeLines(file)
          .filter((line) => /['"`]?\$[a-z]\w*['"`]?:/i.test(line))
          .map((line) => `${file.path}: ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });

  it('reads the environment in the configuration and the commands alone', () => {
    const readers = source.filter((file) => codeLines(file).some((line) => line.includes('process.env')));
    const others = readers.filter(({ path }) => !['config', 'main', 'cli'].includes(partOf(path)));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('exports by name', () => {
    const wrong = source.filter((file) => codeLines(file).some((line) => /^export default/.test(line)));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

const OUTER = /^(graphql|@apollo\/|@graphql-tools\/|fastify|@fastify\/|ws$|node:https?$)/;
