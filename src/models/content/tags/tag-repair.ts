/** Counts the tags again, each in a transaction, so that no write in between is lost. Finds nothing unless there is a fault. */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches } from '../../../database/collections/snapshot-batches.js';
import { failpoint } from '../../../shared/failpoint.js';
import { nodes } from '../nodes/node.js';
import { inNodeTransaction } from '../nodes/node-change.js';
import { keyOfTag, tags } from '../nodes/tag.js';

/** Also removes tags that no node has any more. @returns how many counters were wrong */
export async function repairTags(db: Db): Promise<number> {
  let wrong = 0;
  for await (const { documents } of inSnapshotBatches(db, tags(db)))
    for (const { _id } of documents) wrong += (await repairTag(db, _id)) ? 1 : 0;
  for await (const { documents } of inSnapshotBatches(db, nodes(db), { projection: { tags: 1, state: 1 } })) {
    const used = new Set(documents.flatMap((node) => (node.state === 'PUBLISHED' ? node.tags : [])));
    const known = await tags(db)
      .find({ _id: { $in: [...used] } }, { projection: { _id: 1 } })
      .toArray();
    for (const { _id } of known) used.delete(_id);
    for (const tag of used) wrong += (await repairTag(db, tag)) ? 1 : 0;
  }
  return wrong;
}

async function repairTag(db: Db, tag: string): Promise<boolean> {
  const isWrong = await inNodeTransaction(db, (session) => recount(db, session, tag));
  failpoint('tag.recounted');
  return isWrong;
}

async function recount(db: Db, session: ClientSession, tag: string): Promise<boolean> {
  const counted = await countTag(db, session, tag);
  const stored = await tags(db).findOne({ _id: tag }, { session });
  const count = stored?.count ?? 0;
  if (counted === 0 && stored) await tags(db).deleteOne({ _id: tag, count }, { session });
  // Guard: the counter as read. A write that moves it meanwhile conflicts, and this starts again.
  else if (counted !== count)
    await tags(db).updateOne(
      { _id: tag, ...(stored && { count }) },
      { $set: { count: counted, key: keyOfTag(tag) } },
      { upsert: !stored, session },
    );
  return counted !== count;
}

const countTag = (db: Db, session: ClientSession, tag: string): Promise<number> =>
  nodes(db).countDocuments({ tags: tag, state: 'PUBLISHED' }, { session });
