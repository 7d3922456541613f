/**
 * The migration of nodes to the present form (`node-form.ts`): background work that replaces the old forms, 100 nodes at a time, while
 * everybody reads and writes. Nodes read the same before and after it, so their nonces, versions, times and revisions stay, and nobody
 * who follows them is told. Versions never change: those of old forms keep reading as if they were migrated.
 */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import type { Act } from '../../people/audit.js';
import { findLatestWork, startNumberedWork } from '../../system/work/numbered-work.js';
import { type HeldWork, type WorkDocument, WorkFailure, type WorkKind } from '../../work.js';
import { asNode, nodes, type StoredNode } from '../nodes/node.js';
import { FORM, OLD_FORMS } from '../nodes/node-form.js';

interface MigrationInput {
  readonly to_form: number;
}

interface Position {
  /** The node that was last looked at. Empty at the beginning of a pass. */
  readonly after: string;
}

const BATCH = 100;

export const nodeMigration: WorkKind = {
  name: 'node-migration',
  type: 'NodeMigration',

  /** `done` counts the nodes of the present form, `total` all nodes: until the end, both leave out what others write meanwhile. */
  async run(held) {
    if (formOf(held.work) > FORM)
      throw new WorkFailure('A server of an earlier release has taken it up. Start it again once all run the same');
    if (held.work.position === undefined) await begin(held);
    while (await migrateBatch(held)) failpoint('content.migration-stepped');
    const count = await countPresent(held.db);
    await held.step({ done: count - held.work.done, total: count });
  },
};

/** The number of the form to which it migrates. */
export const formOf = ({ input }: Pick<WorkDocument, 'input'>): number => (input as MigrationInput).to_form;

/** On the index alone. */
const countPresent = (db: Db): Promise<number> => nodes(db).countDocuments({ form: FORM });

async function begin(held: HeldWork): Promise<void> {
  const done = await countPresent(held.db);
  const total = Math.max(done, await nodes(held.db).estimatedDocumentCount());
  await held.step({ position: { after: '' } satisfies Position, done, total });
}

/**
 * A pass that finds nothing is the last one. Another one is needed for what a server of an earlier release has written behind this one.
 * @returns whether there may be more
 */
async function migrateBatch(held: HeldWork): Promise<boolean> {
  const { after } = held.work.position as Position;
  const batch = await findOld(held.db, after).limit(BATCH).toArray();
  const last = batch.at(-1);
  if (!last) {
    if (after !== '') await held.step({ position: { after: '' } satisfies Position });
    return after !== '';
  }
  failpoint('content.migration-read');
  const migrated = await migrate(held.db, batch);
  failpoint('content.migration-written');
  await held.step({ position: { after: last._id } satisfies Position, done: migrated });
  return true;
}

/** In the order of their ids, on the index. */
const findOld = (db: Db, after: string) =>
  nodes(db)
    .find({ form: { $in: [...OLD_FORMS] as never[] }, _id: { $gt: after } })
    .sort({ _id: 1 });

/** @returns how many nodes had still the form and the content that were read */
export async function migrate(db: Db, batch: readonly StoredNode[]): Promise<number> {
  const updates = batch.map((stored) => {
    const { _id, parent_id, slug, revision, form } = stored;
    const present = asNode(stored);
    return {
      updateOne: {
        // Guard: the revision, which every write of a node raises, and the form. A node that was edited meanwhile is left alone: the
        // edit has stored it in the present form.
        filter: { _id, parent_id, slug, revision, form: (form ?? null) as never },
        update: { $set: { form: present.form, summary: present.summary, words: present.words } },
      },
    };
  });
  return (await nodes(db).bulkWrite(updates, { ordered: false })).modifiedCount;
}

/** Nobody waits for an exact number of millions. */
const COUNTED_MAX = 10_000;

/** How many nodes have an old form, up to 10,000. On the index, which holds a missing form as null. */
export const countOldNodes = (db: Db): Promise<number> =>
  nodes(db).countDocuments({ form: { $in: [...OLD_FORMS] as never[] } }, { limit: COUNTED_MAX });

/** The latest migration. Null if none was started, or if it ended 30 days ago. */
export const findNodeMigration = (db: Db): Promise<WorkDocument | null> => findLatestWork(db, nodeMigration.name);

/**
 * Stores that the nodes are to be migrated. Then call `wake` of the process's `WorkService`.
 * @returns the migration that has not ended yet; or the one that has finished, if it has left nothing; or a new one
 * @throws LimitError the owner has too much work that has not ended
 */
export async function startNodeMigration(db: Db, act: Act, owner: string | null): Promise<WorkDocument> {
  const latest = await findNodeMigration(db);
  if (latest?.open || (latest && (await hasDone(db, latest)))) return latest;
  const input: MigrationInput = { to_form: FORM };
  const audited = { action: 'NODES_MIGRATED', subject: `form ${FORM}` } as const;
  return startNumberedWork(db, latest, { kind: nodeMigration, owner, input }, act, audited);
}

/** A server of an earlier release may have written nodes since. */
async function hasDone(db: Db, work: WorkDocument): Promise<boolean> {
  if (work.state !== 'FINISHED' || formOf(work) < FORM) return false;
  const [left] = await findOld(db, '').limit(1).project({ _id: 1 }).toArray();
  return left === undefined;
}
