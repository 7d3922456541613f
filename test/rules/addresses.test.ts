/** CONTRIBUTING.md promises it: the noun of an SDL file is the name of its model, its resolvers and its test. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';

const list = (folder: string) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));

/** The files that a noun lacks, and why that is correct. Remove entries that are no longer needed. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/models/analytics/…/group-commit.ts': '`hits/hit-recorder.ts`: the rest of the code knows what it does, not how',
  'src/models/joins/…/blog-ads.ts': 'a join has no data: it shows what two domains have',
  'src/models/joins/…/node-hits.ts': 'likewise',
  'src/models/joins/…/profile-nodes.ts': 'likewise',
  'src/models/system/…/system.ts':
    'it has no data of its own: its fields are other nouns, and the state of the process',
  'src/models/system/…/violation.ts': '`src/models/violation.ts`: every domain has invariants',
  'src/resolvers/system/…/job.ts': 'the model’s fields are those of the API',
};

/** Nouns with domains, for example `commerce/order`. `base.graphql` and `errors.graphql` belong to none. */
const nouns = list('schema').flatMap((path) => {
  const [, domain, ...below] = path.split('/');
  const name = basename(path, '.graphql');
  return path.endsWith('.graphql') && below.length > 0 ? [`${domain}/${name}`] : [];
});

const files = ['src/models', 'src/resolvers', 'test'].flatMap(list);

/** What a noun lacks: each file may be in any folder of its domain. */
function lacks(noun: string): string[] {
  const [domain = '', name = ''] = noun.split('/');
  const addresses = [
    [`src/models/${domain}`, `${name}.ts`],
    [`src/resolvers/${domain}`, `${name}.ts`],
    [`test/${domain}`, `${name}.test.ts`],
  ] as const;
  return addresses
    .filter(([folder, file]) => !files.some((path) => path.startsWith(`${folder}/`) && basename(path) === file))
    .map(([folder, file]) => `${folder}/…/${file}`);
}

it('gives every noun of the API a model, resolvers and a test of its name', () => {
  expect(nouns).toContain('commerce/order');
  expect(nouns.flatMap(lacks).toSorted()).toEqual(Object.keys(EXCEPTIONS));
});

it('names what a new noun lacks', () => {
  expect(lacks('commerce/gift')).toEqual([
    'src/models/commerce/…/gift.ts',
    'src/resolvers/commerce/…/gift.ts',
    'test/commerce/…/gift.test.ts',
  ]);
});
