/** Nodes as an earlier release has stored them. */
import { randomUUID } from 'node:crypto';
import type { Db, Document } from 'mongodb';
import { makeRandom, type Random } from '../../../harness/random.js';
import { type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { derived } from '../../../src/models/content/nodes/node-change.js';
import { requireNewNode } from '../../../src/models/content/nodes/node-creation.js';
import { versionOf, versions } from '../../../src/models/content/nodes/node-version.js';
import { add, addBlog, ann, edit, NOW, requireStored, write } from '../nodes/node-support.js';

const FORM_2 = { form: '', summary: '', words: '' } as const;

/** Takes what form 2 has added from all nodes and versions, or from some nodes. */
export async function makeOld(db: Db, ids?: readonly string[]): Promise<void> {
  await nodes(db).updateMany(ids ? { _id: { $in: [...ids] } } : {}, { $unset: FORM_2 });
  if (!ids) await versions(db).updateMany({}, { $unset: FORM_2 });
}

/** All nodes as they are stored, by id. */
export async function storedNodes(db: Db): Promise<ReadonlyMap<string, Document>> {
  const found = await db.collection<Document & { _id: string }>('cms.nodes').find().toArray();
  return new Map(found.map((node) => [node._id, node]));
}

const PIECES = [
  'plain words, and more of them',
  '**bold** and [a link](https://example.org)',
  "don't — well-known `code`",
  '日本語の文章',
  '![a picture](asset:none)',
  '&amp; <b>HTML</b> \\*escaped\\*',
  'Straße, naïve, 42',
] as const;
const BLOCKS = ['', '# ', '- ', '> ', '    ', '1. '] as const;

/** Markdown of up to 12 blocks. */
export const randomText = (random: Random): string =>
  Array.from({ length: random.below(13) }, () => {
    const words = Array.from({ length: 1 + random.below(8) }, () => random.pick(PIECES));
    return random.pick(BLOCKS) + words.join(' ');
  }).join('\n\n');

/** A published blog, a page, and so many posts of the blog, half of them with a second version and some with an excerpt. */
export async function addRandomPosts(db: Db, count: number, seed: number): Promise<NodeDocument[]> {
  const random = makeRandom(seed);
  const draft = await addBlog(db);
  const blog = requireStored(await edit(db, draft, { publishedAt: NOW, description: randomText(random) }));
  const page = await add(db, { title: 'A page', slug: 'page', text: randomText(random) });
  const chains = Array.from({ length: count }, (_, at) => randomPost(random, blog, at));
  const posts = chains.flatMap((chain) => chain.slice(-1));
  if (posts.length > 0) await nodes(db).insertMany(posts);
  if (posts.length > 0) await versions(db).insertMany(chains.flat().map((post) => versionOf(post, ann)));
  await nodes(db).updateOne({ _id: blog._id }, { $set: { children: count } });
  return [{ ...blog, children: count }, page, ...posts];
}

/** Its versions. */
function randomPost(random: Random, { _id: parentId }: NodeDocument, at: number): NodeDocument[] {
  const excerpt = random.below(4) === 0 ? 'Its *excerpt*' : '';
  const input = { title: `Post ${at}`, slug: `post-${at}`, text: randomText(random), excerpt, publishedAt: NOW };
  const post = requireNewNode({ type: 'BLOG_POST', parentId, ...input }, write());
  if (random.below(2) === 0) return [post];
  const edited = { ...post, detail: { text: `${randomText(random)}\n\nEdited` } };
  return [post, derived({ ...edited, nonce: randomUUID(), version: 2, revision: 2 }, NOW)];
}
