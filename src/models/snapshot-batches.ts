/** Reads a whole collection in batches, each at one cluster time, so that writers at work cause no false alarm. */
import type { ClientSession, Collection, Db, Document, Filter, WithId } from 'mongodb';

const BATCH = 500;

export interface SnapshotBatch<T> {
  readonly documents: readonly T[];
  /** For what else is to be read at the same cluster time. */
  readonly session: ClientSession;
}

/** In the order of `_id`, which must be text. */
export async function* inSnapshotBatches<T extends Document & { _id: string }>(
  db: Db,
  collection: Collection<T>,
  projection: Document = {},
): AsyncGenerator<SnapshotBatch<WithId<T>>> {
  for (let after: string | null = ''; after !== null; ) {
    const session = db.client.startSession({ snapshot: true });
    try {
      const documents: WithId<T>[] = await collection
        .find({ _id: { $gt: after } } as Filter<T>, { session, projection })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      yield { documents, session };
      after = documents.length < BATCH ? null : (documents.at(-1)?._id ?? null);
    } finally {
      await session.endSession();
    }
  }
}
