/** The documentation names only existing files, and its GraphQL is valid. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';
import { makeSchema } from '../../src/server/operations/schema.js';

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

const schema = makeSchema();
/** Blocks, and what commands send. Several operations in a block are one after the other. */
const operationsIn = (text: string): string[] => {
  const blocks = [...text.matchAll(/^```graphql\n(.+?)^```/gms)].map(([, block = '']) => block);
  const sent = [...text.matchAll(/"query": ("(?:[^"\\\n]|\\.)+")/g)].map(([, json = '']) => JSON.parse(json) as string);
  return [...blocks, ...sent].flatMap((operations) =>
    parse(operations).definitions.map(({ loc }) => operations.slice(loc?.start, loc?.end)),
  );
};

it.each(documents)('%s has only GraphQL that the server accepts', (document) => {
  for (const operation of operationsIn(read(document)))
    expect(
      validate(schema, parse(operation)).map(({ message }) => message),
      operation,
    ).toEqual([]);
});

it('the documentation has GraphQL in blocks and in commands', () => {
  expect(documents.flatMap((document) => operationsIn(read(document))).length).toBeGreaterThan(15);
});

it('security.md names a test for each of the 34 attacks', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| (\d+) \| .+ \| `test\/.+` \|$/gm)].map(([, number]) =>
    Number(number),
  );
  expect(rows).toEqual(Array.from({ length: 34 }, (_, index) => index + 1));
});
