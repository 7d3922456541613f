/** Reads a whole collection in batches, each at one cluster time, so that concurrent writes cause no false alarms. */
import type { ClientSession, Collection, Db, Document, Filter, WithId } from 'mongodb';

const BATCH = 100; // bounds how long others wait while a batch is read

export interface SnapshotBatch<T> {
  readonly documents: readonly T[];
  /** For further reads at the same cluster time. */
  readonly session: ClientSession;
}

/** Called after each batch with its number of documents. It may wait, to leave database capacity to others. */
export type Visited = (documents: number) => Promise<void>;

/** The default: does not wait. */
export const visitOnly = async (): Promise<void> => undefined;

/** Reads in the order of `_id`, which must be a string. The next batch is fetched while the current one is processed. */
export async function* inSnapshotBatches<T extends Document & { _id: string }>(
  db: Db,
  collection: Collection<T>,
  { projection = {}, visited = visitOnly }: { readonly projection?: Document; readonly visited?: Visited } = {},
): AsyncGenerator<SnapshotBatch<WithId<T>>> {
  let next: Promise<SnapshotBatch<WithId<T>>> | null = readBatch(db, collection, projection, '');
  try {
    while (next) {
      const batch: SnapshotBatch<WithId<T>> = await next;
      const last = batch.documents.at(-1);
      next = last && batch.documents.length === BATCH ? readBatch(db, collection, projection, last._id) : null;
      next?.catch(() => undefined); // reported to the caller when it is awaited
      try {
        yield batch;
      } finally {
        await batch.session.endSession();
      }
      await visited(batch.documents.length);
    }
  } finally {
    await next?.then(({ session }) => session.endSession()).catch(() => undefined);
  }
}

async function readBatch<T extends Document & { _id: string }>(
  db: Db,
  collection: Collection<T>,
  projection: Document,
  after: string,
): Promise<SnapshotBatch<WithId<T>>> {
  const session = db.client.startSession({ snapshot: true });
  try {
    const following = { _id: { $gt: after } } as Filter<T>;
    const documents = await collection.find(following, { session, projection }).sort({ _id: 1 }).limit(BATCH).toArray();
    return { documents, session };
  } catch (error) {
    await session.endSession();
    throw error;
  }
}
