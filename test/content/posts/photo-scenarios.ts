/** The process dies while a photo is uploaded, or its picture replaced: it has the old picture or the new one, and never none. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { findAsset } from '../../../src/models/system/assets/asset.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { makePicture } from '../../system/assets/picture-support.js';

const UPLOAD = `mutation ($parentId: ID!, $file: Upload!) {
  uploadPhoto(parentId: $parentId, file: $file, input: { title: "Cat" }) { __typename ... on Photo { id } }
}`;
const REPLACE = `mutation ($id: ID!, $file: Upload!) {
  replacePhoto(id: $id, file: $file) { __typename ... on Photo { id } }
}`;
const GALLERY = `mutation { createNode(input: { type: GALLERY, title: "Photos" }) { ... on Gallery { id } } }`;

const picture = async () => new File([new Uint8Array(await makePicture('image/png'))], 'a.png');

async function addGallery(product: ProductClient): Promise<string> {
  const { data } = await product.request<{ createNode: { id: string } }>(GALLERY);
  return data?.createNode.id ?? '';
}

const upload = async (product: ProductClient, parentId: string) =>
  (await product.upload<{ uploadPhoto: { __typename: string; id: string } }>(UPLOAD, { parentId }, await picture()))
    .data?.uploadPhoto;

/** Every photo has a picture that exists. @returns their versions */
async function versionsOfPhotos(db: Db): Promise<number[]> {
  const photos = await db.collection('cms.nodes').find({ type: 'PHOTO' }).toArray();
  for (const { detail } of photos) expect(await findAsset(db, detail.asset_id)).not.toBeNull();
  return photos.map(({ version }) => version);
}

async function actOfUpload(product: ProductClient): Promise<string> {
  const gallery = await addGallery(product);
  expect(await answerOrNull(upload(product, gallery))).toBeNull();
  return gallery;
}

const photoUploaded: Scenario<string> = {
  failpoints: { 'content.photo.uploaded': 1 },
  act: actOfUpload,
  async judge(product, db, gallery) {
    expect(await versionsOfPhotos(db)).toEqual([]);
    expect(await upload(product, gallery)).toMatchObject({ __typename: 'Photo' });
    expect(await versionsOfPhotos(db)).toEqual([1]);
  },
};

const photoCreated: Scenario<string> = {
  failpoints: { 'content.photo.created': 1 },
  act: actOfUpload,
  async judge(product, db, gallery) {
    expect(await versionsOfPhotos(db)).toEqual([1]);
    expect(await upload(product, gallery)).toMatchObject({ __typename: 'SlugTaken' });
  },
};

/** The lock of the dead process expires five minutes after it began. */
const photoReplaced: Scenario<string> = {
  failpoints: { 'content.photo.locked': 1, 'content.photo.stored': 1, 'content.photo.switched': 1 },
  async act(product) {
    const id = (await upload(product, await addGallery(product)))?.id ?? '';
    expect(await answerOrNull(product.upload(REPLACE, { id }, await picture()))).toBeNull();
    return id;
  },
  async judge(product, db, id) {
    const [version = 0] = await versionsOfPhotos(db);
    const replace = async () =>
      (await product.upload<{ replacePhoto: { __typename: string } }>(REPLACE, { id }, await picture())).data
        ?.replacePhoto.__typename;
    if (version === 1) expect(await replace()).toBe('PhotoLocked');
    await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
    expect(await replace()).toBe('Photo');
    expect(await versionsOfPhotos(db)).toEqual([version + 1]);
  },
};

export const photoScenarios = [photoUploaded, photoCreated, photoReplaced] as readonly Scenario<unknown>[];
