/** The documentation names only existing tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';

const folder = join(projectRoot, 'docs');
const documents = readdirSync(folder).filter((name) => name.endsWith('.md'));

it.each(documents)('%s names only existing tests', (name) => {
  const named = [...readFileSync(join(folder, name), 'utf8').matchAll(/`(test\/[\w/.-]+\.ts)`/g)].map(
    ([, path]) => path ?? '',
  );
  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

it('security.md names a test for each of the 34 attacks', () => {
  const text = readFileSync(join(folder, 'security.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (\d+) \| .+ \| `test\/.+` \|$/gm)].map(([, number]) => Number(number));
  expect(rows).toEqual(Array.from({ length: 34 }, (_, index) => index + 1));
});
