/** A tree of everything that content knows, and its exports. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import sharp from 'sharp';
import { contentExport, startContentExport } from '../../../src/models/content/export/content-export.js';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { moveNode } from '../../../src/models/content/nodes/node-move.js';
import { deleteNode, restoreNode } from '../../../src/models/content/nodes/node-trash.js';
import { placePhoto } from '../../../src/models/content/posts/photo-order.js';
import { addTags } from '../../../src/models/content/tags/node-tags.js';
import type { AssetDocument } from '../../../src/models/system/assets/asset.js';
import { readParts } from '../../../src/models/system/work/work-file.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { testAct } from '../../support/people.js';
import { makePicture, openAssets, store } from '../../system/assets/picture-support.js';
import { add, addPost, edit, later, requireStored, write } from '../nodes/node-support.js';

export const exportLoop = (db: Db, rest?: () => Promise<void>): WorkLoop =>
  new WorkLoop(db, [contentExport], {
    holder: randomUUID(),
    now: () => new Date(),
    onFault: (error) => {
      throw error;
    },
    ...(rest && { rest }),
  });

export const beginExport = (db: Db, parentId: string | null): Promise<WorkDocument> =>
  startContentExport(db, { id: randomUUID(), parentId, owner: 'ann' }, new Date());

export async function fileOf(db: Db, work: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readParts(db, work)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export async function exported(db: Db, parent: Pick<NodeDocument, '_id'> | null): Promise<string> {
  const { _id } = await beginExport(db, parent?._id ?? null);
  const done = await exportLoop(db).run(_id);
  if (!done || done === 'BUSY' || done.state !== 'FINISHED') throw new Error('The export has failed');
  return fileOf(db, _id);
}

/** A tree of every kind of node, with versions, drafts and something in the trash. */
export async function grow(db: Db, root: NodeDocument): Promise<{ news: NodeDocument; inner: NodeDocument }> {
  const description = 'What is\nnew';
  const news = await add(db, { type: 'BLOG', title: 'News', slug: 'news', parentId: root._id, description });
  const post = await addPost(db, news, 'A post', { tags: ['b', 'a'], excerpt: 'In short', commentPolicy: 'NOBODY' });
  const second = requireStored(
    await edit(db, post, { text: 'Much "better"\n\u2028' }, { at: later(1000), author: { name: 'Ben' } }),
  );
  requireStored(await edit(db, second, { publishedAt: null, excerpt: null }, { at: later(2000) }));
  await addTags(db, post._id, ['c'], write({ at: later(3000) }));
  const videoUrl = 'https://video.example.org/1';
  await addPost(db, news, 'A video', { type: 'VIDEO', videoUrl, publishedAt: later(9e9) });
  await addPost(db, news, 'A quote', { type: 'QUOTE', source: 'A book', commentDesign: 'HYBRID' });
  const trashed = await addPost(db, news, 'Trashed');
  await deleteNode(db, write(), testAct(), { id: trashed._id, nonce: trashed.nonce });
  const inner = await add(db, { type: 'FOLDER', title: 'Inner', slug: 'inner', parentId: root._id });
  await add(db, { type: 'PAGE', title: 'A page', slug: 'page', parentId: inner._id });
  await add(db, { type: 'GALLERY', title: 'Pictures', slug: 'pictures', parentId: inner._id });
  return { news, inner };
}

/** Pictures in photos, posts, texts and old versions; two of them in several places. @returns the pictures */
export async function addPictures(db: Db, root: NodeDocument, news: NodeDocument): Promise<AssetDocument[]> {
  const assets = await openAssets(db);
  const [one, two, large] = await Promise.all([
    store(assets, db, await makePicture('image/png', { width: 20, height: 10 }, 1)),
    store(assets, db, await makePicture('image/jpeg', { width: 30, height: 10 }, 2), true),
    store(
      assets,
      db,
      await sharp(randomBytes(1_050_000), { raw: { width: 700, height: 500, channels: 3 } })
        .png()
        .toBuffer(),
    ), // noise: nothing to compress
  ]);
  const idOf = ({ _id }: AssetDocument) => toGlobalId('Asset', _id);
  const photos = await add(db, { type: 'GALLERY', title: 'Photos', slug: 'photos', parentId: root._id });
  const at = { parentId: photos._id, type: 'PHOTO' } as const;
  const photo = await add(db, { ...at, title: 'A cat', imageId: idOf(one), description: 'It sleeps', tags: ['cat'] });
  requireStored(await edit(db, photo, { imageId: idOf(large) }, { at: later(1000) }));
  const dog = await add(db, { ...at, title: 'A dog', imageId: idOf(two) });
  const hen = await add(db, { ...at, title: 'A hen' });
  requireStored(await placePhoto(db, dog._id, photo._id, later(2000)));
  requireStored(await placePhoto(db, hen._id, photo._id, later(2000))); // between the two
  const post = await addPost(db, news, 'With pictures', { text: `![a](asset:${idOf(two)})` });
  requireStored(await edit(db, post, { text: 'Without' }, { at: later(1000) }));
  await addPost(db, news, 'A picture', { type: 'IMAGE', imageId: idOf(one), text: `![a](asset:${idOf(large)})` });
  return [one, two, large];
}

/** Nodes that were elsewhere, under other names, and in the trash. */
export async function moveAround(db: Db, root: NodeDocument, news: NodeDocument, inner: NodeDocument): Promise<void> {
  const move = async (node: NodeDocument, to: { slug?: string; parentId?: string }, ms: number) =>
    requireStored(await moveNode(db, write({ at: later(ms) }), { id: node._id, nonce: node.nonce, ...to }));
  const page = await add(db, { type: 'PAGE', title: 'Travels', slug: 'zero', parentId: root._id });
  const renamed = await move(page, { slug: 'first' }, 1000);
  const below = await move(renamed, { slug: 'last', parentId: inner._id }, 2000); // its former parent comes first, its group later
  await move(below, { parentId: root._id, slug: 'travels' }, 3000);
  await add(db, { type: 'PAGE', title: 'Took its place', slug: 'first', parentId: root._id });
  const post = await addPost(db, news, 'Restored', { slug: 'restored' });
  await deleteNode(db, write({ at: later(1000) }), testAct(), { id: post._id, nonce: post.nonce });
  requireStored(await restoreNode(db, write({ at: later(2000) }), post._id, 'restored-again'));
  const folder = await add(db, { type: 'FOLDER', title: 'Renamed', slug: 'a-folder', parentId: root._id });
  await add(db, { type: 'PAGE', title: 'Within', slug: 'within', parentId: folder._id });
  await move((await findFresh(db, folder)) ?? folder, { slug: 'z-folder' }, 1000);
}

const findFresh = (db: Db, { _id }: NodeDocument) => db.collection<NodeDocument>('cms.nodes').findOne({ _id });
