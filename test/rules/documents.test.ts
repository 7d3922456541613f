/** The documentation names only existing files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const list = (folder: string) => readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' });

const pages = list('docs').filter((name) => name.endsWith('.md'));
const documents = ['README.md', 'CONTRIBUTING.md', 'bench/README.md', ...pages.map((name) => join('docs', name))];

/** Pages name a file by its path, or by its name alone. */
const names = new Set(
  ['src', 'web', 'test', 'bench', 'harness', 'schema', 'scripts']
    .flatMap(list)
    .filter((path) => !path.includes('node_modules'))
    .map((path) => basename(path)),
);

it.each(documents)('%s names only existing files', (document) => {
  const files = [...read(document).matchAll(/(?<![\w/.<>…-])[\w/-][\w/.-]*\.(?:tsx?|mjs|graphql)(?![\w/])/g)];
  const folders = [...read(document).matchAll(/`((?:schema|src|web|test|bench|harness|scripts)(?:\/[\w-]+)*)\/?`/g)];
  const named = [...files.map(([path]) => path), ...folders.map(([, path = '']) => path)];
  expect(named.filter((path) => !names.has(path) && !existsSync(join(projectRoot, path)))).toEqual([]);
});

it('security.md names a test for each of the 34 attacks', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| (\d+) \| .+ \| `test\/.+` \|$/gm)].map(([, number]) =>
    Number(number),
  );
  expect(rows).toEqual(Array.from({ length: 34 }, (_, index) => index + 1));
});
