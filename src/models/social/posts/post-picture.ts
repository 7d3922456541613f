/** How the network uses pictures: photos of posts, and pictures of people. */
import type { AssetUses } from '../../domain.js';
import { filterUsed } from '../../system/assets/asset-use.js';
import { people, present } from '../network/person.js';
import { posts } from './post.js';

const ONLY_ID = { projection: { _id: 1 } } as const;

export const assetUses: AssetUses = {
  findUsed: (db, ids) =>
    filterUsed(
      ids,
      async (id) =>
        (await people(db).findOne({ picture_id: id }, ONLY_ID)) ??
        (await posts(db).findOne({ 'detail.asset_id': id }, ONLY_ID)),
    ),
  // Of people, everybody sees the picture. Of posts, visitors see the photos of public ones.
  findPublic: (db, ids) =>
    filterUsed(
      ids,
      async (id) =>
        (await people(db).findOne({ picture_id: id, ...present }, ONLY_ID)) ??
        (await posts(db).findOne({ 'detail.asset_id': id, live: true, audience: 'PUBLIC' }, ONLY_ID)),
    ),
};
