/** Photos, their pictures, and the pictures in texts. */
import { beforeAll, describe, expect, it } from 'vitest';
import { leases, takeLease } from '../../../src/database/index.js';
import { findNode, type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { editNode, restoreVersion } from '../../../src/models/content/nodes/node-edit.js';
import { assetUses } from '../../../src/models/content/nodes/node-picture.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { replacePhoto, uploadPhoto } from '../../../src/models/content/posts/photo.js';
import { type AssetDocument, assetFiles, findAsset } from '../../../src/models/system/assets/asset.js';
import { removeUnused } from '../../../src/models/system/assets/asset-removal.js';
import type { Assets } from '../../../src/models/system/assets/assets.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { DAY_MS, MINUTE_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { makePicture, OWNER, openAssets, store } from '../../system/assets/picture-support.js';
import {
  add,
  addBlog,
  addPost,
  ben,
  edit,
  later,
  NOW,
  requireStored,
  violations,
  write,
} from '../nodes/node-support.js';

const database = useDatabase();
let assets: Assets;
let gallery: NodeDocument;
let seed = 0;

beforeAll(async () => {
  assets = await openAssets(database.db, () => NOW, [assetUses]);
  gallery = await add(database.db, { type: 'GALLERY', title: 'Photos' });
  // Others, so that an index makes a difference.
  for (let index = 0; index < 60; index += 1) await add(database.db, { title: `Page ${index}`, publishedAt: NOW });
});

const storedBy = async (ownerId: string): Promise<AssetDocument> => {
  seed += 1;
  return store(assets, database.db, await makePicture('image/png', { width: 20, height: 10 }, seed), false, ownerId);
};
const stored = () => storedBy(OWNER);
const idOf = ({ _id }: AssetDocument) => toGlobalId('Asset', _id);
const upload = (title = 'Cat', publishedAt: Date | null = null) =>
  uploadPhoto(
    database.db,
    write(),
    { parentId: gallery._id, title, slug: `${title.toLowerCase()}-${seed}`, publishedAt },
    stored,
  );
const removeAt = async (at: Date) => {
  while ((await removeUnused(database.db, [assetUses], at)) > 0);
};

describe('uploading a photo', () => {
  it('stores its picture and creates the node', async () => {
    const photo = requireStored(await upload());
    expect(photo).toMatchObject({ type: 'PHOTO', parent_id: gallery._id, detail: { asset_id: expect.any(String) } });
    expect(photo.asset_ids).toEqual([photo.detail.asset_id]);
    expect(await violations(database.db)).toEqual([]);
  });

  it('creates no node of what is no picture', async () => {
    const before = await nodes(database.db).countDocuments({});
    const none = async () => ({ __typename: 'NotAPicture', message: 'No', found: null }) as const;
    const input = { parentId: gallery._id, title: 'None' };
    expect(await uploadPhoto(database.db, write(), input, none)).toMatchObject({ __typename: 'NotAPicture' });
    expect(await nodes(database.db).countDocuments({})).toBe(before);
  });

  it('checks its input before the picture is stored', async () => {
    const never = async () => {
      throw new Error('It was stored');
    };
    await expect(uploadPhoto(database.db, write(), { parentId: gallery._id, title: '' }, never)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });

  it('that is refused leaves its picture to the next removal', async () => {
    const asset = await stored();
    const input = { parentId: 'none', title: 'Nowhere' };
    const outcome = await uploadPhoto(database.db, write(), input, async () => asset);
    expect(outcome).toMatchObject({ __typename: 'ParentNotFound' });
    await removeAt(NOW);
    expect(await findAsset(database.db, asset._id)).toBeNull();
  });
});

describe('replacing the picture of a photo', () => {
  it('keeps everything else, and shows the old one until the new one is stored', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Dog'));
    const fresh = await stored();
    const replaced = requireStored(
      await replacePhoto(db, write(), photo._id, async () => {
        expect((await findNode(db, photo._id))?.detail.asset_id).toBe(photo.detail.asset_id);
        return fresh;
      }),
    );
    expect(replaced).toMatchObject({ title: 'Dog', version: 2, detail: { asset_id: fresh._id } });
    expect(await violations(db)).toEqual([]);
  });

  it('is refused to an author whose photo it is not, before the picture is stored', async () => {
    const photo = requireStored(await upload('Owl', NOW));
    const never = async () => {
      throw new Error('It was stored');
    };
    const byBen = () => write({ author: ben, ownOnly: true });
    await expect(replacePhoto(database.db, byBen(), photo._id, never)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const input = { parentId: gallery._id, title: 'Ben’s', slug: 'of-ben' };
    const storedByBen = () => storedBy(ben._id);
    const own = requireStored(await uploadPhoto(database.db, byBen(), input, storedByBen));
    expect(requireStored(await replacePhoto(database.db, byBen(), own._id, storedByBen))).toMatchObject({ version: 2 });
  });

  it('keeps the old picture as long as a version shows it', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Fox'));
    const fresh = await stored();
    const replaced = requireStored(await replacePhoto(db, write(), photo._id, async () => fresh));
    await removeAt(later(30 * DAY_MS));
    expect(await findAsset(db, photo.detail.asset_id ?? '')).not.toBeNull();
    const call = { id: photo._id, nonce: replaced.nonce, version: 1 };
    const restored = requireStored(await restoreVersion(db, write(), call));
    expect(restored.detail.asset_id).toBe(photo.detail.asset_id);
  });

  it('leaves the photo as it is when the upload fails, and can be repeated at once', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Hen'));
    const broken = async () => {
      throw new Error('The connection was reset');
    };
    await expect(replacePhoto(db, write(), photo._id, broken)).rejects.toThrow('reset');
    expect(await findNode(db, photo._id)).toEqual(photo);
    requireStored(await replacePhoto(db, write(), photo._id, stored));
  });

  it('is refused while another one is under way', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Owl'));
    const first = await replacePhoto(db, write(), photo._id, async () => {
      const second = await replacePhoto(db, write(), photo._id, stored);
      expect(second).toMatchObject({
        __typename: 'PhotoLocked',
        message: 'The picture of this photo is being replaced already', // by whoever it is
        lockedSince: expect.any(Date),
      });
      const { lockedSince } = second as { lockedSince: Date };
      expect(Math.abs(Date.now() - lockedSince.getTime())).toBeLessThan(MINUTE_MS);
      return stored();
    });
    expect(requireStored(first).version).toBe(2);
  });

  it('of a process that has died is taken over after five minutes, and then changes nothing any more', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Bee'));
    const [late, fresh] = [await stored(), await stored()];
    const outcome = await replacePhoto(db, write(), photo._id, async () => {
      await leases(db).updateOne({ _id: `photo ${photo._id}` }, { $set: { expires_at: new Date(0) } }); // five minutes pass
      requireStored(await replacePhoto(db, write(), photo._id, async () => fresh));
      return late;
    });
    const message = 'Another upload has taken over, because this one took more than five minutes';
    expect(outcome).toMatchObject({ __typename: 'PhotoLocked', message });
    expect(await findNode(db, photo._id)).toMatchObject({ version: 2, detail: { asset_id: fresh._id } });
    await removeAt(NOW);
    expect(await findAsset(db, late._id)).toBeNull();
  });

  it('happens once when ten try at the same time', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Ant'));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => replacePhoto(db, write(), photo._id, stored)));
    const done = outcomes.filter((outcome) => !('__typename' in outcome)).length;
    expect(done).toBeGreaterThan(0); // those that start after another has ended succeed, too
    expect(await findNode(db, photo._id)).toMatchObject({ version: 1 + done });
    expect(await violations(db)).toEqual([]);
  });

  it('is only for photos that are not in the trash', async () => {
    const { db } = database;
    const blog = await addBlog(db, 'no-photo');
    expect(await replacePhoto(db, write(), blog._id, stored)).toMatchObject({ __typename: 'NodeNotFound' });
    const photo = requireStored(await upload('Cow'));
    requireStored(await deleteNode(db, write(), testAct(NOW), { id: photo._id, nonce: photo.nonce }));
    expect(await replacePhoto(db, write(), photo._id, stored)).toMatchObject({ __typename: 'NodeNotFound' });
    expect(await takeLease(db, `photo ${photo._id}`, 'test', MINUTE_MS)).not.toBeNull();
  });
});

describe('a node that refers to pictures', () => {
  it('keeps them, in its text by any kind of reference, too', async () => {
    const { db } = database;
    const blog = await addBlog(db, 'pictures');
    const [own, inline, byReference] = [await stored(), await stored(), await stored()];
    const text = `![a](asset:${idOf(inline)}) ![b][r]\n\n[r]: asset:${idOf(byReference)}`;
    const post = await addPost(db, blog, 'With pictures', { type: 'IMAGE', imageId: idOf(own), text });
    expect(post.asset_ids).toEqual([own._id, inline._id, byReference._id]);
    await removeAt(later(30 * DAY_MS));
    for (const { _id } of [own, inline, byReference]) expect(await findAsset(db, _id)).not.toBeNull();
    expect(await assetUses.findPublic(db, [own._id, 'none', inline._id], NOW)).toEqual([own._id, inline._id]);
  });

  it('makes them public only while it is published', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Elk', later(DAY_MS)));
    const ids = [photo.detail.asset_id ?? ''];
    expect(await assetUses.findPublic(db, ids, NOW)).toEqual([]);
    expect(await assetUses.findPublic(db, ids, later(DAY_MS))).toEqual(ids);
    requireStored(await deleteNode(db, write(), testAct(NOW), { id: photo._id, nonce: photo.nonce }));
    expect(await assetUses.findPublic(db, ids, later(DAY_MS))).toEqual([]);
    expect(await assetUses.findUsed(db, ids)).toEqual(ids); // it can be restored
  });

  it('is refused, and nothing is stored, when one of them does not exist', async () => {
    const { db } = database;
    const blog = await addBlog(db, 'missing');
    const before = await nodes(db).countDocuments({});
    const missing = toGlobalId('Asset', 'none');
    for (const [input, field] of [
      [{ imageId: missing }, 'input.imageId'],
      [{ text: `![a](asset:${missing})` }, 'input.text'],
      [{ imageId: 'nonsense' }, 'input.imageId'],
      [{ imageId: toGlobalId('Site', 'a') }, 'input.imageId'],
    ] as const)
      await expect(addPost(db, blog, 'Missing', { type: 'IMAGE', ...input })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field },
      });
    expect(await nodes(db).countDocuments({})).toBe(before);
    const post = await addPost(db, blog, 'Edited');
    await expect(edit(db, post, { text: `![a](asset:${missing})` })).rejects.toMatchObject({
      details: { field: 'changes.text' },
    });
    expect(await findNode(db, post._id)).toEqual(post);
  });

  it('claims only what is new: an edit of the title does not touch the assets', async () => {
    const { db } = database;
    const photo = requireStored(await upload('Yak'));
    const at = later(DAY_MS);
    const changes = { id: photo._id, nonce: photo.nonce, changes: { title: 'Ox' } };
    requireStored(await editNode(db, write({ at }), changes));
    expect(await assetFiles(db).findOne({ _id: photo.detail.asset_id ?? '' })).toMatchObject({
      metadata: { used_at: NOW },
    });
  });
});
