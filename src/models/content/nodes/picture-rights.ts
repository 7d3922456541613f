/**
 * Which stored pictures somebody may see, and so show in their nodes: whoever refers to a picture can publish it. Editors: all. Authors:
 * those that they have uploaded, those that everybody sees, and those that a node of theirs shows or has shown, also if an editor put
 * them there. All others are to them as if they did not exist.
 */
import type { ClientSession, Db } from 'mongodb';
import type { AssetDocument } from '../../system/assets/asset.js';
import { nodes } from './node.js';
import { versions } from './node-version.js';
import type { IsPublicPicture, Sight } from './rights.js';

/** @param session of the write that begins to show it, before it stores its version, which would count as one of their own */
export async function isPictureSeen(
  db: Db,
  { _id, metadata }: Pick<AssetDocument, '_id' | 'metadata'>,
  sight: Sight,
  isPublicPicture: IsPublicPicture,
  session?: ClientSession,
): Promise<boolean> {
  if (sight === 'ALL') return true;
  if (sight !== 'PUBLIC' && metadata.owner_id === sight.authorId) return true;
  if (await isPublicPicture(_id)) return true;
  return sight !== 'PUBLIC' && isInOwnNode(db, _id, sight.authorId, session);
}

/** Of a picture that more nodes than that have shown, and none shows to everybody, only these are asked whose they are. */
const NODES_MAX = 1000;

/** A node's last version shows what the node shows. Versions name who stored them, and nodes whose they are. */
async function isInOwnNode(db: Db, assetId: string, authorId: string, session?: ClientSession): Promise<boolean> {
  const inSession = session ? { session } : {};
  const found = await versions(db)
    .aggregate<{ _id: string }>(
      [{ $match: { asset_ids: assetId } }, { $group: { _id: '$_id.node' } }, { $limit: NODES_MAX }],
      inSession,
    )
    .toArray();
  const ids = found.map(({ _id }) => _id);
  const own = { _id: { $in: ids }, 'author._id': authorId };
  return ids.length > 0 && (await nodes(db).findOne(own, { projection: { _id: 1 }, ...inSession })) !== null;
}
