/**
 * Undoing an import of content. It removes the nodes that the import created and that nobody has edited since; a group stays as long
 * as there is something else below it. First they go into the trash, so that lists and tags follow, then they are removed for good.
 */
import type { ClientSession, Db } from 'mongodb';
import { releaseAssets } from '../../system/assets/asset-claim.js';
import type { HeldWork } from '../../work.js';
import { asNode, findNode, type NodeDocument, nodes } from '../nodes/node.js';
import { storeVersion, type Write } from '../nodes/node-change.js';
import { removeMarked } from '../nodes/node-trash.js';
import { versions } from '../nodes/node-version.js';
import { countChild } from '../nodes/parent.js';
import { isAsImported } from './import-node.js';

const BATCH = 20;

interface UndoPosition {
  readonly phase: 'TRASH' | 'REMOVE';
  /** The node that was last looked at. */
  readonly after: string;
  /** Whether this pass has trashed any: then the groups above them may be empty now. */
  readonly isWorth: boolean;
}

const BEGIN: UndoPosition = { phase: 'TRASH', after: '', isWorth: false };

export async function undoContentImport(held: HeldWork): Promise<void> {
  for (;;) {
    const position = (held.work.position as UndoPosition | undefined) ?? BEGIN;
    const batch = await nodes(held.db)
      .find({ import: held.work._id, _id: { $gt: position.after } })
      .sort({ _id: 1 })

      .limit(BATCH)
      .map(asNode)
      .toArray();
    const last = batch.at(-1);
    if (position.phase === 'TRASH') await trashBatch(held, position, batch);
    else if (last) await removeBatch(held, batch);
    else return endUndo(held);
  }
}

/** Pictures are rows, too. Nothing is left of the import if none of its nodes is. */
async function endUndo(held: HeldWork): Promise<void> {
  const kept = await nodes(held.db).findOne({ import: held.work._id }, { projection: { _id: 1 } });
  const { imported = 0 } = held.work;
  if (!kept && imported !== 0) await held.step({ done: -imported, counts: { imported: -imported } });
}

/** Passes over all of its nodes, from the leaves up, until one finds nothing more to do: at most as many as there are levels. */
async function trashBatch(held: HeldWork, position: UndoPosition, batch: readonly NodeDocument[]): Promise<void> {
  const last = batch.at(-1);
  if (!last) {
    const phase = position.isWorth ? 'TRASH' : 'REMOVE';
    await held.step({ position: { ...BEGIN, phase } satisfies UndoPosition });
    return;
  }
  await held.step(async (session) => {
    let trashed = 0;
    for (const { _id } of batch) trashed += (await trashNode(held, session, _id)) ? 1 : 0;
    const isWorth = position.isWorth || trashed > 0;
    return { position: { phase: 'TRASH', after: last._id, isWorth } satisfies UndoPosition };
  });
}

async function trashNode({ db, work, now }: HeldWork, session: ClientSession, _id: string): Promise<boolean> {
  const before = await findNode(db, _id, session);
  if (!before || before.trash || before.children > 0 || !isAsImported(before)) return false;
  const parent = await findNode(db, before.parent_id, session);
  if (parent) await countChild(db, session, parent, -1);
  const write: Write = { call: `undo.${work._id}`, at: now(), author: before.author };
  const trash = { at: write.at, slug: before.slug, is_purged: true } as const; // nobody can restore it
  await storeVersion(db, session, before, { ...before, slug: `~${_id}`, published: null, trash }, write);
  return true;
}

/** Each row was a version or a redirect. The pictures go with the next removal of unused ones, unless somebody else shows them. */
async function removeBatch(held: HeldWork, batch: readonly NodeDocument[]): Promise<void> {
  const last = batch.at(-1);
  const shown = await versions(held.db).distinct('asset_ids', { '_id.node': { $in: batch.map(({ _id }) => _id) } });
  await held.step(async (session) => {
    let rows = 0;
    for (const node of batch) rows += await removeNode(held.db, session, node);
    await releaseAssets(held.db, shown, held.now(), session);
    const position: UndoPosition = { phase: 'REMOVE', after: last?._id ?? '', isWorth: false };
    return { position, done: -rows, counts: { imported: -rows } };
  });
}

/** @returns how many rows had made it: its versions, except the one of the trash */
async function removeNode(db: Db, session: ClientSession, node: NodeDocument): Promise<number> {
  const redirects = await removeMarked(db, session, node);
  return redirects === null ? 0 : node.version - 1 + redirects;
}
