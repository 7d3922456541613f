/**
 * Undoing an import of content: afterwards everything is as if it had not been. Of a node that another import has brought, too, only what
 * that one has not is taken back (`undo-plan.ts`); a node that was edited or commented on since stays, and so does a group as long
 * as there is something else below it. All others are removed, from the leaves up, in as many passes as there are levels.
 */
import type { ClientSession } from 'mongodb';
import { releaseAssets } from '../../../system/assets/asset-claim.js';
import { type HeldWork, WorkFailure, type WorkStep } from '../../../work.js';
import { asNode, nodes } from '../../nodes/node.js';
import { readBatches } from './undo-batch.js';
import { planUndo } from './undo-plan.js';
import { leaveToOthers, removeNodes, stepBack } from './undo-writes.js';

/** What an import notes of its rows: the present form. */
export const NOTES_FORM = 1;

export interface NotedImport {
  /** Absent of an earlier release, which did not note what undoing needs. */
  readonly form?: number;
}

interface UndoPosition {
  /** The node that was last looked at. */
  readonly after: string;
  /** Whether this pass has removed any: then the groups above them may be empty now. */
  readonly isWorth: boolean;
  /** The number of rows of the nodes that stay, in this pass. */
  readonly kept: number;
}

const BEGIN: UndoPosition = { after: '', isWorth: false, kept: 0 };

const positionOf = ({ work }: HeldWork): UndoPosition => (work.position as UndoPosition | undefined) ?? BEGIN;

/** @throws WorkFailure */
export async function undoContentImport(held: HeldWork): Promise<void> {
  if ((held.work.input as NotedImport).form !== NOTES_FORM)
    throw new WorkFailure(
      'It was imported by an earlier release, which did not note what undoing needs. Delete its nodes by hand',
    );
  for (;;) {
    const batches = await readBatches(held.db, held.work._id, positionOf(held).after);
    for (const ids of batches) await held.step((session) => undoBatch(held, session, positionOf(held), ids));
    if (batches.length > 0) continue;
    const position = positionOf(held);
    if (!position.isWorth) return endUndo(held, position);
    await held.step({ position: BEGIN });
  }
}

/** What is left of it. Pictures are rows, too; they go with the next removal of unused ones, unless somebody else shows them. */
async function endUndo(held: HeldWork, { kept }: UndoPosition): Promise<void> {
  const { imported = 0 } = held.work;
  if (imported !== kept) await held.step({ done: kept - imported, counts: { imported: kept - imported } });
}

async function undoBatch(
  { db, work, now }: HeldWork,
  session: ClientSession,
  position: UndoPosition,
  ids: readonly string[],
): Promise<WorkStep> {
  const found = await nodes(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .map(asNode)
    .toArray();
  const { removed, shared, steppedBack, shown, taken, kept } = await planUndo(db, session, work._id, found);
  await leaveToOthers(db, session, work._id, shared);
  await stepBack(db, session, work._id, steppedBack, now());
  await removeNodes(db, session, removed, now());
  await releaseAssets(db, [...shown], now(), session); // those that a node shows that stays are kept
  return {
    position: {
      after: ids.at(-1) ?? '',
      isWorth: position.isWorth || removed.length > 0,
      kept: position.kept + kept,
    } satisfies UndoPosition,
    done: -taken,
    counts: { imported: -taken },
  };
}
