/** What content stores about an account, and what becomes of it. */
import type { Db } from 'mongodb';
import { changeMatching, type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { backgroundWork } from '../system/work/background-work.js';
import { contentImport } from './import/content-import.js';
import { authors } from './nodes/author-name.js';
import { asNode, nodes } from './nodes/node.js';
import { asVersion, versions } from './nodes/node-version.js';

const files = {
  'nodes.jsonl': 'Posts, pages, photos and other content whose author you are, as it is now',
  'versions.jsonl': 'Versions of content that you have written',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  const own = { 'author._id': accountId };
  const order = { 'author._id': 1, 'author.name': 1 } as const; // all have the same name, or two while it is being copied
  const written = nodes(db).find(own).sort(order).map(asNode);
  yield* rowsIn('nodes.jsonl', written, (node) => ({
    id: node._id,
    type: node.type,
    parent: node.parent_id,
    slug: node.slug,
    title: node.title,
    excerpt: node.excerpt,
    ...node.detail,
    tags: node.tags,
    state: node.state,
    published: node.published,
    created: node.created,
    edited: node.edited,
  }));
  const kept = versions(db).find(own).sort(order).map(asVersion);
  yield* rowsIn('versions.jsonl', kept, (version) => ({
    node: version._id.node,
    version: version.version,
    at: version.at,
    slug: version.slug,
    title: version.title,
    excerpt: version.excerpt,
    ...version.detail,
    published: version.published,
  }));
}

/** The names on nodes and versions are emptied by `author-name.ts`. */
const erase = (db: Db, accountId: string): Promise<number> =>
  changeMatching(
    backgroundWork(db),
    { owner: accountId, kind: contentImport.name, 'input.author.name': { $gt: '' } } as object,
    { $set: { 'input.author.name': '' } } as object,
  );

const erasure: readonly ErasureRule[] = [
  {
    data: 'Content and its versions',
    collections: [nodes, versions, authors],
    becomes: 'ANONYMIZED',
    reason: 'What was published stays with its readers. The name of the author is emptied',
  },
];

export const personalData: PersonalData = { files, rows, erase, erasure };
