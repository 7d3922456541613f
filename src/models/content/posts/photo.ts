/**
 * Photos with their pictures. The picture is stored before a node refers to it: what breaks off leaves an asset that nothing uses,
 * which a job removes. While the picture of a photo is replaced, others are refused by a lease. It expires after five minutes, and the
 * switch to the new picture repeats it, so that a replacement that was taken over changes nothing.
 */
import type { Db } from 'mongodb';
import { type Lease, leases, releaseLease, takeLease } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { MINUTE_MS } from '../../../shared/time.js';
import type { AssetDocument } from '../../system/assets/asset.js';
import { releaseAssets } from '../../system/assets/asset-claim.js';
import type { NotAPicture } from '../../system/assets/pictures/picture.js';
import type { NodeDocument } from '../nodes/node.js';
import { inNodeTransaction, type NodeNotFound, nodeNotFound, storeVersion, type Write } from '../nodes/node-change.js';
import { insertNode, type NewNode, requireNewNode } from '../nodes/node-creation.js';
import type { ParentNotFound, SlugTaken } from '../nodes/parent.js';
import { findWritable } from '../nodes/rights.js';

/** Stores the uploaded picture. Called once the node has been checked. */
export type StorePicture = () => Promise<AssetDocument | NotAPicture>;

const LOCKED_MS = 5 * MINUTE_MS;

/** @throws InputError before the picture is stored @throws what storing throws */
export async function uploadPhoto(
  db: Db,
  write: Write,
  input: Omit<NewNode, 'type' | 'imageId'>,
  store: StorePicture,
): Promise<NodeDocument | NotAPicture | SlugTaken | ParentNotFound> {
  const photo = requireNewNode({ ...input, type: 'PHOTO' }, write);
  const asset = await store();
  if ('__typename' in asset) return asset;
  failpoint('content.photo.uploaded');
  const shown = { ...photo, detail: { ...photo.detail, asset_id: asset._id }, asset_ids: [asset._id] };
  const outcome = await inNodeTransaction(db, (session) => insertNode(db, session, shown, write));
  failpoint('content.photo.created');
  if ('__typename' in outcome) await releaseAssets(db, [asset._id], write.at);
  return outcome;
}

export type PhotoLocked = Refusal<'PhotoLocked', { readonly lockedSince: Date }>;

/** @throws what storing throws; the photo has its old picture then */
export async function replacePhoto(
  db: Db,
  write: Write,
  id: string,
  store: StorePicture,
): Promise<NodeDocument | NodeNotFound | NotAPicture | PhotoLocked> {
  const node = await findWritable(db, id, write);
  if (!isPhoto(node)) return nodeNotFound();
  const lease = await takeLease(db, leaseOf(id), write.call, LOCKED_MS);
  if (!lease) return photoLocked(db, id, write.at, 'The picture of this photo is being replaced already');
  failpoint('content.photo.locked');
  try {
    const asset = await store();
    if ('__typename' in asset) return asset;
    failpoint('content.photo.stored');
    const outcome = await switchPicture(db, write, id, asset, lease);
    failpoint('content.photo.switched');
    if ('__typename' in outcome) await releaseAssets(db, [asset._id], write.at);
    return outcome;
  } finally {
    await releaseLease(db, lease).catch(() => undefined); // it expires by itself
  }
}

const leaseOf = (id: string) => `photo ${id}`;

/** One that is not in the trash. */
export const isPhoto = (node: NodeDocument | null): node is NodeDocument => node?.type === 'PHOTO' && !node.trash;

function switchPicture(
  db: Db,
  write: Write,
  id: string,
  asset: AssetDocument,
  { name, holder, token }: Lease,
): Promise<NodeDocument | NodeNotFound | PhotoLocked> {
  return inNodeTransaction(db, async (session) => {
    // Guard: nobody has taken over. A takeover at the same time writes the same document, so that one of the two starts again.
    const { matchedCount } = await leases(db).updateOne(
      { _id: name, holder, token },
      [{ $set: { expires_at: '$$NOW' } }],
      { session },
    );
    if (matchedCount === 0)
      return photoLocked(
        db,
        id,
        write.at,
        'Another upload has taken over, because this one took more than five minutes',
      );
    const before = await findWritable(db, id, write, session);
    if (!isPhoto(before)) return nodeNotFound();
    const after = { ...before, detail: { ...before.detail, asset_id: asset._id } };
    return storeVersion(db, session, before, after, write);
  });
}

/** @param message one user may do both at once, in two windows */
async function photoLocked(db: Db, id: string, now: Date, message: string): Promise<PhotoLocked> {
  const lease = await leases(db).findOne({ _id: leaseOf(id) });
  const lockedSince = lease ? new Date(lease.expires_at.getTime() - LOCKED_MS) : now;
  return refuse('PhotoLocked', message, { lockedSince });
}
