/** A blog with a gallery, as sample data of an empty domain. */
import { createHash } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { toGlobalId } from '../../../shared/global-id.js';
import { DAY_MS } from '../../../shared/time.js';
import { type Moment, momentBefore, type SeedStep } from '../../seed.js';
import { releaseAssets } from '../../system/assets/asset-claim.js';
import { storeSamplePicture } from '../../system/sample-pictures/sample-picture.js';
import { type HeldWork, WorkFailure } from '../../work.js';
import { findNode, type NodeDocument, nodes } from '../nodes/node.js';
import { replaceNode, storeVersion, type Write } from '../nodes/node-change.js';
import { insertNode, requireNewNode } from '../nodes/node-creation.js';
import { removeMarked } from '../nodes/node-trash.js';
import { countChild } from '../nodes/parent.js';
import type { SampleNode } from './posts/sample-node.js';
import { sampleContent } from './sample-content.js';

export const isContentEmpty = async (db: Db): Promise<boolean> =>
  (await nodes(db).findOne({}, { projection: { _id: 1 }, sort: { _id: 1 } })) === null;

export const contentSteps = (content = sampleContent): readonly SeedStep[] =>
  content.map((samples) => ({
    fill: async (held) => {
      const assets = new Map<string, string>();
      for (const { path, drawing } of samples)
        if (drawing) assets.set(path, await storeSamplePicture(held, path.split('/').at(-1) ?? '', drawing));
      return async (session) => {
        for (const sample of samples) await addNode(held, session, sample, assets.get(sample.path));
      };
    },
    takeBack: async (held) => ({
      write: async (session) => {
        let kept = 0;
        for (const sample of samples.toReversed()) kept += (await removeNode(held, session, sample)) ? 0 : 1;
        return kept;
      },
    }),
  }));

/** Another one for each work, so that nothing that remembers a removed node mistakes the next one for it. */
const idOf = ({ work }: Pick<HeldWork, 'work'>, path: string): string =>
  createHash('sha256').update(`${work._id}\n${path}`).digest('hex').slice(0, 32);

/** Of the call that stored the last version. */
const nonceOf = (id: string, { firstText }: SampleNode): string => (firstText === undefined ? id : `${id}.2`);

/** When what is not published yet was written. */
const YESTERDAY: Moment = [1, '17:30'];

/** Guard: the transaction that records the step. */
async function addNode(held: HeldWork, session: ClientSession, sample: SampleNode, assetId?: string): Promise<void> {
  const { db } = held;
  const { firstText, published, text } = sample;
  const id = idOf(held, sample.path);
  const publishedAt = published && momentBefore(held.work.created_at, published);
  const at =
    publishedAt && publishedAt < held.work.created_at ? publishedAt : momentBefore(held.work.created_at, YESTERDAY);
  const write: Write = { call: id, at, author: { name: sample.author } };
  const finalText = await showPhotos(held, session, text);
  const draftText = await showPhotos(held, session, firstText);
  const imageId = assetId ?? (sample.photo && (await findPicture(held, session, sample.photo)));
  const input = {
    ...sample,
    parentId: sample.path.includes('/') ? idOf(held, parentPathOf(sample.path)) : null,
    slug: sample.path.split('/').at(-1),
    text: draftText ?? finalText,
    publishedAt: draftText === undefined ? publishedAt : null,
    imageId: imageId && toGlobalId('Asset', imageId),
  };
  const begun = draftText === undefined ? write : { ...write, at: new Date(at.getTime() - DAY_MS) };
  const node = await insertNode(db, session, requireNewNode(input, begun), begun);
  if ('__typename' in node) throw new WorkFailure(node.message);
  if (draftText === undefined || finalText === undefined) return;
  const after = { ...node, published: publishedAt, detail: { ...node.detail, text: finalText } };
  await storeVersion(db, session, node, after, { ...write, call: nonceOf(id, sample) });
}

const parentPathOf = (path: string): string => path.split('/').slice(0, -1).join('/');

const PHOTO = /\(photo:([a-z-]+)\)/g;

async function showPhotos(
  held: HeldWork,
  session: ClientSession,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const found = new Map<string, string>();
  for (const [, slug = ''] of text.matchAll(PHOTO)) found.set(slug, await findPicture(held, session, slug));
  return text.replaceAll(PHOTO, (_whole, slug: string) => `(asset:${toGlobalId('Asset', found.get(slug) ?? '')})`);
}

/** @throws WorkFailure somebody has removed the photo meanwhile */
async function findPicture(held: HeldWork, session: ClientSession, slug: string): Promise<string> {
  const photo = await nodes(held.db).findOne({ _id: idOf(held, `gallery/${slug}`) }, { session });
  if (!photo?.detail.asset_id) throw new WorkFailure(`The photo ${slug} was changed in the meantime`);
  return photo.detail.asset_id;
}

/**
 * Removes a node that is as it was added. Guard: the transaction's snapshot. A write to the node, or below it, at the same time conflicts.
 * Lists see it in the trash first: the event of a removal does not say where the node was.
 * @returns false if it stays
 */
async function removeNode(held: HeldWork, session: ClientSession, sample: SampleNode): Promise<boolean> {
  const { db } = held;
  const before = await findNode(db, idOf(held, sample.path), session);
  if (!before) return true;
  if (!isAsAdded(before, sample)) return false;
  const at = held.now();
  const parent = await findNode(db, before.parent_id, session);
  if (parent) await countChild(db, session, parent, -1);
  const trash = { at, slug: before.slug, is_purged: true } as const;
  const marked: NodeDocument = { ...before, slug: `~${before._id}`, published: null, trash };
  await replaceNode(db, session, before, marked, at);
  await removeMarked(db, session, marked);
  await releaseAssets(db, before.asset_ids, at, session);
  return true;
}

function isAsAdded(node: NodeDocument, sample: SampleNode): boolean {
  const { tags = [] } = sample;
  const hasTags = node.tags.length === tags.length && node.tags.every((tag) => tags.includes(tag));
  const hasComments = node.comment_policy === 'MEMBERS' && node.comment_design === 'ONE_EACH';
  return !node.trash && node.children === 0 && node.nonce === nonceOf(node._id, sample) && hasTags && hasComments;
}
