/** A server dies while it stores, scales or removes a picture: what was acknowledged is served, and of everything else nothing is left. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { type AssetDocument, assetChunks, assetFiles } from '../../../src/models/system/assets/asset.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { callJobs, letWorkersRun } from '../../crash/workers.js';
import { UPLOAD } from './asset-client.js';
import { noise, openAssets, store } from './picture-support.js';

const picture = noise({ width: 800, height: 700 }).png({ compressionLevel: 0 }); // several groups of chunks

async function upload(product: ProductClient): Promise<Record<'url' | 'small', string> | null> {
  const file = new File([new Uint8Array(await picture.clone().toBuffer())], 'a.png');
  const answer = await answerOrNull(
    product.upload<{ uploadPicture: Record<'url' | 'small', string> }>(UPLOAD, {}, file),
  );
  return answer?.data?.uploadPicture ?? null;
}

const counts = async (db: Db) => [await assetFiles(db).countDocuments({}), await assetChunks(db).countDocuments({})];

/** Everything that is stored is visible and complete. */
async function expectWhole(db: Db, files: number): Promise<void> {
  await letWorkersRun(db);
  const stored = await assetFiles(db).find({}).toArray();
  expect(stored.map(({ metadata }) => metadata.state)).toEqual(Array.from({ length: files }, () => 'STORED'));
  const chunks = stored.reduce((sum, { length, chunkSize }) => sum + Math.ceil(length / chunkSize), 0);
  expect(await counts(db)).toEqual([files, chunks]);
}

export const uploadPicture: Scenario<null> = {
  failpoints: { 'assets.file.begun': 1, 'assets.file.chunks-stored': 2 },
  async act(product) {
    expect(await upload(product)).toBeNull();
    return null;
  },
  async judge(product, db) {
    const again = await upload(product);
    expect((await fetch(`${product.url}${again?.url}`)).status).toBe(200);
    await expectWhole(db, 1);
  },
};

/** The answer is lost: the picture is stored, and as nothing refers to it, a job removes it later. */
export const uploadWithoutAnswer: Scenario<null> = {
  failpoints: { 'assets.asset.stored': 1 },
  async act(product) {
    expect(await upload(product)).toBeNull();
    return null;
  },
  judge: (_product, db) => expectWhole(db, 1),
};

/** The scaled picture is stored, and the next request gets it. */
export const scalePicture: Scenario<string> = {
  failpoints: { 'assets.scaled.listed': 1 },
  async act(product) {
    const small = `${product.url}${(await upload(product))?.small}`;
    expect(await answerOrNull(fetch(small))).toBeNull();
    return new URL(small).pathname + new URL(small).search;
  },
  async judge(product, db, small) {
    expect((await fetch(`${product.url}${small}`)).status).toBe(200);
    await expectWhole(db, 2);
  },
};

/** @returns a picture with a scaled one that is due to be checked */
async function leaveDue(db: Db): Promise<AssetDocument> {
  const assets = await openAssets(db);
  const asset = await store(assets, db, await picture.clone().toBuffer());
  await assets.scaled(asset, 320);
  await assetFiles(db).updateOne({ _id: asset._id }, { $set: { 'metadata.check_at': new Date(0) } });
  return asset;
}

export const removeUnusedPicture: Scenario<void> = {
  failpoints: { 'assets.asset.marked': 1, 'assets.scaled.marked': 1, 'assets.asset.checked': 1 },
  async act(product, db) {
    await leaveDue(db);
    await callJobs(db, product);
  },
  judge: (_product, db) => expectWhole(db, 0),
};

/** An upload was interrupted more than an hour ago. */
export const removeInterrupted: Scenario<void> = {
  failpoints: { 'assets.file.discarded': 1, 'assets.file.chunks-removed': 1, 'assets.file.removed': 1 },
  async leave(db) {
    const asset = await store(await openAssets(db), db, await picture.clone().toBuffer());
    const interrupted = { 'metadata.state': 'STORING' as const, 'metadata.check_at': new Date(0) };
    await assetFiles(db).updateOne({ _id: asset._id }, { $set: interrupted });
  },
  judge: (_product, db) => expectWhole(db, 0),
};

/** Chunks of a file that does not exist. */
export const removeLoose: Scenario<void> = {
  failpoints: { 'assets.chunks.removed': 1 },
  async leave(db) {
    const asset = await store(await openAssets(db), db, await picture.clone().toBuffer());
    await assetFiles(db).deleteOne({ _id: asset._id });
  },
  judge: (_product, db) => expectWhole(db, 0),
};
