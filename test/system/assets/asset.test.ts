/** Storing pictures, referring to them, and removing them. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom } from '../../../harness/random.js';
import { visitOnly } from '../../../src/database/collections/snapshot-batches.js';
import { commitConcernOf, inTransaction } from '../../../src/database/index.js';
import type { AssetUses } from '../../../src/models/domain.js';
import { type AssetDocument, assetChunks, assetFiles, findAsset } from '../../../src/models/system/assets/asset.js';
import { claimAssets, releaseAssets } from '../../../src/models/system/assets/asset-claim.js';
import { CHUNK_BYTES, readFile } from '../../../src/models/system/assets/asset-file.js';
import { findAssetViolations } from '../../../src/models/system/assets/asset-invariants.js';
import { recoverAssets, removeLooseChunks, removeUnused } from '../../../src/models/system/assets/asset-removal.js';
import type { Assets } from '../../../src/models/system/assets/assets.js';
import { pictureTypes } from '../../../src/models/system/assets/pictures/picture-type.js';
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../../src/shared/time.js';
import { useDatabase } from '../../support/database.js';
import { BOUNDS, makePicture, noise, OWNER, openAssets, partsOf, SECRET_PLACE, store } from './picture-support.js';

const database = useDatabase();
const start = new Date('2026-03-01T12:00:00Z');
let now = start;
let assets: Assets;
/** The ids that a domain uses. */
let used: string[] = [];
const uses: AssetUses = {
  findUsed: async (_db, ids) => ids.filter((id) => used.includes(id)),
  findPublic: async () => [],
};
const later = (ms: number) => new Date(start.getTime() + ms);
const claim = (db: Db, ids: readonly string[]) =>
  inTransaction(db, commitConcernOf.MAJORITY, (session) => claimAssets(db, session, ids, { field: 'imageId', now }));

const usualFolder = tmpdir();
beforeAll(async () => {
  process.env.TMPDIR = await mkdtemp(join(usualFolder, 'sextant-assets-')); // tests at the same time use the usual one
  assets = await openAssets(database.db, () => now, [uses]);
});
afterAll(async () => {
  await rm(tmpdir(), { recursive: true });
  process.env.TMPDIR = usualFolder;
});
beforeEach(() => {
  now = start;
  used = [];
});
const counts = async () => [
  await assetFiles(database.db).countDocuments({}),
  await assetChunks(database.db).countDocuments({}),
];
afterEach(async () => {
  const violations = [];
  for await (const violation of findAssetViolations(database.db, visitOnly)) violations.push(violation);
  expect(violations).toEqual([]);
});

async function bytesOf(asset: AssetDocument, from = 0, to = asset.length): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readFile(database.db, asset, from, to)) parts.push(part);
  return Buffer.concat(parts);
}

describe('storing a picture', () => {
  it.each(pictureTypes)('takes %s, tells its type from its bytes, and leaves its metadata out', async (type) => {
    const bytes = await makePicture(type, { width: 90, height: 50 });
    const asset = await store(assets, database.db, bytes);
    expect(asset.metadata).toMatchObject({
      content_type: type,
      width: 90,
      height: 50,
      owner_id: OWNER,
      state: 'STORED',
    });
    const stored = await bytesOf(asset);
    expect(stored.length).toBe(asset.length);
    expect(stored.includes(SECRET_PLACE)).toBe(false);
    expect(await sharp(stored).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  });

  it('keeps every byte when the location is to be kept', async () => {
    const bytes = await makePicture('image/jpeg');
    const asset = await store(assets, database.db, bytes, true);
    expect(await bytesOf(asset)).toEqual(bytes);
  });

  it('encodes a picture anew whose metadata cannot be cut out, upright', async () => {
    const bytes = await makePicture('image/jpeg', { width: 60, height: 40, orientation: 6 });
    const profile = bytes.indexOf('ICC_PROFILE');
    // Junk between two segments: decoders skip it.
    const broken = Buffer.concat([bytes.subarray(0, profile - 4), Buffer.from([0, 0]), bytes.subarray(profile - 4)]);
    const asset = await store(assets, database.db, broken);
    const stored = await bytesOf(asset);
    expect(stored.includes(SECRET_PLACE)).toBe(false);
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', width: 40, height: 60 });
    expect((await sharp(stored).metadata()).orientation ?? 1).toBe(1);
    expect(asset.metadata).toMatchObject({ width: 40, height: 60 });
  });

  it('reads back any range of a picture of many chunks', async () => {
    const bytes = await noise({ width: 900, height: 700 }).png({ compressionLevel: 0 }).toBuffer();
    const asset = await store(assets, database.db, bytes, true);
    const chunks = await assetChunks(database.db).countDocuments({ files_id: asset._id });
    expect(chunks).toBe(Math.ceil(bytes.length / CHUNK_BYTES));
    for (const [from, to] of [
      [0, 1],
      [CHUNK_BYTES - 1, CHUNK_BYTES + 1],
      [CHUNK_BYTES, 2 * CHUNK_BYTES],
      [bytes.length - 5, bytes.length],
      [0, bytes.length],
    ] as const)
      expect((await bytesOf(asset, from, to)).equals(bytes.subarray(from, to))).toBe(true);
  });
});

describe('what is no picture', () => {
  it.each([
    ['text', Buffer.from('hello'), null],
    ['nothing', Buffer.alloc(0), null],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    [
      'a script in SVG',
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'application/xml',
    ],
    ['a page that starts like a GIF', Buffer.from('GIF89a<script>alert(1)</script>'), 'image/gif'],
  ])('is refused: %s', async (_what, bytes, found) => {
    const before = await counts();
    const picture = { name: 'a.jpg', bytes: partsOf(bytes), ownerId: OWNER, keepLocation: false };
    expect(await assets.store(database.db, picture)).toMatchObject({ __typename: 'NotAPicture', found });
    expect(await counts()).toEqual(before);
  });

  it.each(pictureTypes)('is refused: half of a picture, %s', async (type) => {
    const before = await counts();
    const whole = await makePicture(type, { width: 200, height: 200 });
    const picture = {
      name: 'a',
      bytes: partsOf(whole.subarray(0, whole.length / 2)),
      ownerId: OWNER,
      keepLocation: true,
    };
    expect(await assets.store(database.db, picture)).toMatchObject({ __typename: 'NotAPicture' });
    expect(await counts()).toEqual(before);
  });

  it('is refused above the limit of bytes, and nothing is kept', async () => {
    const before = await counts();
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1_000_000);
      })(),
    );
    const picture = { name: 'a', bytes: endless, ownerId: OWNER, keepLocation: false };
    await expect(assets.store(database.db, picture)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: BOUNDS.MAX_PICTURE_BYTES },
    });
    expect(await counts()).toEqual(before);
  });

  it('is refused above the limit of pixels, before they are decoded', async () => {
    const before = await counts();
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'black' } })
      .png()
      .toBuffer();
    expect(bomb.length).toBeLessThan(500_000);
    const picture = { name: 'a', bytes: partsOf(bomb), ownerId: OWNER, keepLocation: false };
    const begun = performance.now();
    await expect(assets.store(database.db, picture)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'The picture has 81000000 pixels; at most 64000000 are allowed',
      details: { limit: BOUNDS.MAX_PICTURE_PIXELS },
    });
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(await counts()).toEqual(before);
  });
});

describe('200 uploads that break off at random points', () => {
  it('leave nothing: no file, no chunk, no temporary file', async () => {
    const before = await counts();
    const bytes = await noise({ width: 400, height: 400 }).png().toBuffer();
    const breakOff = async (length: number) => {
      const source = Readable.from(
        (function* () {
          for (let at = 0; at < length; at += 7000) yield bytes.subarray(at, Math.min(at + 7000, length));
          throw new Error('The connection was reset');
        })(),
      );
      return assets.store(database.db, { name: 'a', bytes: source, ownerId: OWNER, keepLocation: false });
    };
    const random = makeRandom(chooseSeed('broken pictures'));
    const lengths = Array.from({ length: 200 }, () => random.below(bytes.length));
    const outcomes = await Promise.allSettled(lengths.map(breakOff));
    expect(new Set(outcomes.map((each) => each.status))).toEqual(new Set(['rejected']));
    expect(await counts()).toEqual(before);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('sextant-picture-'))).toEqual([]);
  });
});

describe('a picture that is being stored', () => {
  it('is removed by the worker when its process has died, and not before an hour', async () => {
    const { db } = database;
    const asset = await store(assets, db, await makePicture('image/png'));
    await assetFiles(db).updateOne(
      { _id: asset._id },
      { $set: { 'metadata.state': 'STORING', 'metadata.check_at': now } },
    );
    expect(await findAsset(db, asset._id)).toBeNull();
    expect(await recoverAssets(db, later(-1), later(HOUR_MS - 1))).toBe(0);
    expect(await recoverAssets(db, later(0), later(HOUR_MS))).toBe(1);
    expect(await assetChunks(db).countDocuments({ files_id: asset._id })).toBe(0);
    expect(await assetFiles(db).countDocuments({ _id: asset._id })).toBe(0);
  });

  it('loses chunks that arrived after it was given up, once a day', async () => {
    const { db } = database;
    const kept = await store(assets, db, await makePicture('image/png'));
    const asset = await store(assets, db, await makePicture('image/png'));
    await assetFiles(db).deleteOne({ _id: asset._id });
    expect(await removeLooseChunks(db)).toBe(1);
    expect(await assetChunks(db).countDocuments({ files_id: asset._id })).toBe(0);
    expect((await bytesOf(kept)).length).toBe(kept.length);
  });
});

describe('an asset', () => {
  const removeAllDue = async (at: Date) => {
    while ((await removeUnused(database.db, [uses], at)) > 0);
  };

  it('is removed when nothing has used it for a day', async () => {
    const { db } = database;
    const asset = await store(assets, db, await makePicture('image/jpeg', { width: 700 }));
    const scaled = await assets.scaled(asset, 320);
    await removeAllDue(later(DAY_MS - 1));
    expect(await findAsset(db, asset._id)).not.toBeNull();
    await removeAllDue(later(DAY_MS));
    expect(await findAsset(db, asset._id)).toBeNull();
    for (const id of [asset._id, scaled?.file ?? '']) {
      expect(await assetFiles(db).countDocuments({ _id: id })).toBe(0);
      expect(await assetChunks(db).countDocuments({ files_id: id })).toBe(0);
    }
  });

  it('stays as long as a domain uses it, and goes within a week afterwards, or at once if it was released', async () => {
    const { db } = database;
    const [one, other] = [
      await store(assets, db, await makePicture('image/jpeg')),
      await store(assets, db, await makePicture('image/jpeg')),
    ];
    used = [one._id, other._id];
    await removeAllDue(later(DAY_MS));
    used = [];
    await removeAllDue(later(2 * DAY_MS));
    expect(await findAsset(db, one._id)).not.toBeNull();
    await releaseAssets(db, [one._id], later(2 * DAY_MS));
    await removeAllDue(later(2 * DAY_MS));
    expect(await findAsset(db, one._id)).toBeNull();
    expect(await findAsset(db, other._id)).not.toBeNull();
    await removeAllDue(later(DAY_MS + WEEK_MS));
    expect(await findAsset(db, other._id)).toBeNull();
  });

  it('that is claimed while the domains are asked stays', async () => {
    const { db } = database;
    const asset = await store(assets, db, await makePicture('image/jpeg'));
    now = later(DAY_MS);
    const slow: AssetUses = {
      ...uses,
      findUsed: async () => {
        await claim(db, [asset._id]);
        return []; // the answer was read before the claim
      },
    };
    expect(await removeUnused(db, [slow], now)).toBeGreaterThan(0);
    expect(await findAsset(db, asset._id)).toMatchObject({ metadata: { used_at: now } });
  });

  it('cannot be claimed once it is being removed, and a claim of several claims none then', async () => {
    const { db } = database;
    const [gone, kept] = [
      await store(assets, db, await makePicture('image/jpeg')),
      await store(assets, db, await makePicture('image/jpeg')),
    ];
    await assetFiles(db).updateOne({ _id: gone._id }, { $set: { 'metadata.state': 'REMOVING' } });
    now = later(HOUR_MS);
    await expect(claim(db, [kept._id, gone._id])).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field: 'imageId' },
    });
    expect(await findAsset(db, kept._id)).toMatchObject({ metadata: { used_at: start } });
    expect(await recoverAssets(db, later(0), now)).toBe(1);
  });

  it('is either claimed or removed, when both happen at the same time', async () => {
    const { db } = database;
    for (let round = 0; round < 20; round += 1) {
      now = start;
      const asset = await store(assets, db, await makePicture('image/png', { width: 8, height: 8 }));
      now = later(DAY_MS);
      const [claimed] = await Promise.allSettled([claim(db, [asset._id]), removeUnused(db, [uses], now)]);
      const found = await findAsset(db, asset._id);
      expect(found === null).toBe(claimed.status === 'rejected');
    }
  });
});

describe('scaling a picture', () => {
  it('makes it at most so wide, upright, once, without metadata', async () => {
    const { db } = database;
    const bytes = await makePicture('image/jpeg', { width: 500, height: 800, orientation: 6 });
    const asset = await store(assets, db, bytes);
    const made = await assets.scaled(asset, 320);
    const current = (await findAsset(db, asset._id)) as AssetDocument;
    expect(current.metadata.scaled).toEqual([made]);
    expect(await assets.scaled(current, 320)).toEqual(made);
    const file = (await assetFiles(db).findOne({ _id: made?.file ?? '' })) as AssetDocument;
    const picture = await bytesOf(file);
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 200 });
    expect(picture.includes(SECRET_PLACE)).toBe(false);
  });

  it('keeps transparency and animation as WebP', async () => {
    const frame = (color: number) => {
      const row = Buffer.concat([Buffer.alloc(200 * 4), Buffer.alloc(200 * 4, Buffer.from([color, 0, 0, 255]))]); // left: transparent
      return sharp(Buffer.concat(Array.from({ length: 100 }, () => row)), {
        raw: { width: 400, height: 100, channels: 4 },
      });
    };
    const frames = await Promise.all([frame(90), frame(200)].map((each) => each.png().toBuffer()));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const asset = await store(assets, database.db, gif);
    expect(asset.metadata).toMatchObject({ width: 400, height: 100 });
    const made = await assets.scaled(asset, 320);
    const file = (await assetFiles(database.db).findOne({ _id: made?.file ?? '' })) as AssetDocument;
    expect(await sharp(await bytesOf(file), { pages: -1 }).metadata()).toMatchObject({
      format: 'webp',
      width: 320,
      pageHeight: 80,
      pages: 2,
      hasAlpha: true,
    });
  });

  it('in several processes at once leaves one picture, which all of them return, and no orphan', async () => {
    const { db } = database;
    const asset = await store(assets, db, await makePicture('image/png', { width: 400, height: 300 }));
    const before = await counts();
    const processes = await Promise.all([1, 2, 3, 4].map(() => openAssets(db)));
    const made = await Promise.all(processes.map((each) => each.scaled(asset, 320)));
    expect(new Set(made.map((each) => each?.file)).size).toBe(1);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  it('of an asset that is removed meanwhile returns nothing and leaves nothing', async () => {
    const { db } = database;
    const asset = await store(assets, db, await makePicture('image/png', { width: 400, height: 300 }));
    await assetFiles(db).updateOne({ _id: asset._id }, { $set: { 'metadata.state': 'REMOVING' } });
    expect(await assets.scaled(asset, 320)).toBeNull();
    await recoverAssets(db, now, now);
    expect(await assetFiles(db).countDocuments({ 'metadata.of': asset._id })).toBe(0);
  });
});
