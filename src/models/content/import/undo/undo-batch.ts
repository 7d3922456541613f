/** The nodes of an import in batches that an undo can hold: bounded in number and in bytes, because they are read and replaced. */
import type { Db } from 'mongodb';
import { nodes } from '../../nodes/node.js';
import { versions } from '../../nodes/node-version.js';

/** As for an import. */
const BATCH_NODES = 100;
const BATCH_BYTES = 1024 * 1024;

interface Weighed {
  readonly _id: string;
  readonly bytes: number;
  readonly imports?: readonly string[];
}

const WEIGHT = { bytes: { $bsonSize: '$$ROOT' } } as const;

/** The ids that come next. A node that is larger than a batch is one of its own. Empty at the end. */
export async function readBatches(db: Db, work: string, after: string): Promise<string[][]> {
  const found = await nodes(db)
    .find({ imports: work, _id: { $gt: after } })
    .project<Weighed>({ _id: 1, imports: 1, ...WEIGHT })
    .sort({ _id: 1 })
    .limit(BATCH_NODES)
    .toArray();
  const shared = found.filter(({ imports = [] }) => imports.length > 1).map(({ _id }) => _id);
  const largest = await weighVersions(db, shared);
  const batches: string[][] = [];
  let room = 0;
  for (const { _id, bytes } of found) {
    const weight = bytes + (largest.get(_id) ?? 0);
    const batch = weight <= room ? batches.at(-1) : undefined;
    if (batch) batch.push(_id);
    else batches.push([_id]);
    room = (batch ? room : BATCH_BYTES) - weight;
  }
  return batches;
}

/** The size of the largest version of each of these nodes: an undo may step back to it. */
async function weighVersions(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const largest = new Map<string, number>();
  if (ids.length === 0) return largest;
  const found = versions(db)
    .find({ '_id.node': { $in: [...ids] } })
    .project<{ _id: { node: string }; bytes: number }>({ _id: 1, ...WEIGHT });
  for await (const { _id, bytes } of found) largest.set(_id.node, Math.max(largest.get(_id.node) ?? 0, bytes));
  return largest;
}
