/** Reads a whole collection in batches, each at one cluster time, so that writers at work cause no false alarm. */
import type { ClientSession, Collection, Db, Document, Filter, WithId } from 'mongodb';

const BATCH = 100; // what others wait for while one is read

export interface SnapshotBatch<T> {
  readonly documents: readonly T[];
  /** For what else is to be read at the same cluster time. */
  readonly session: ClientSession;
}

/** Called after each batch with how many documents it had. It may wait, to leave others their share of the database. */
export type Visited = (documents: number) => Promise<void>;

/** Waits for nobody. */
export const visitOnly = async (): Promise<void> => undefined;

/** In the order of `_id`, which must be text. The next batch is on its way while one is looked at. */
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
      next?.catch(() => undefined); // told to the caller when it is waited for
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
