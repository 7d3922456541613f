/** What the database reads and writes for a piece of work, as its profiler counts it. */
import type { Db, Document } from 'mongodb';

/** Of a `mongod`, so that its profiler counts bytes. */
export const countingParameters: readonly string[] = ['profileOperationResourceConsumptionMetrics=true'];

export interface Counts {
  readonly documentsRead: number;
  /** Of documents and of index keys. */
  readonly bytesRead: number;
  readonly documentsWritten: number;
  /** Of documents and of index keys. For an update of a long document, MongoDB counts and stores the difference. */
  readonly bytesWritten: number;
  /** For example `comments {discussion, number}`. */
  readonly indexes: readonly string[];
}

/** The work must be the only one in this database. */
export async function countCommands(db: Db, work: () => Promise<unknown>): Promise<Counts> {
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  const entries = await db.collection('system.profile').find().toArray();
  await db.collection('system.profile').drop();
  const sum = (read: (entry: Document) => (number | undefined)[]) =>
    entries.reduce((total, entry) => total + read(entry).reduce<number>((part, value) => part + (value ?? 0), 0), 0);
  return {
    documentsRead: sum(({ docsExamined }) => [docsExamined]),
    bytesRead: sum(({ operationMetrics: of }) => [of?.docBytesRead, of?.idxEntryBytesRead]),
    documentsWritten: sum(({ ninserted, nModified, nUpserted }) => [ninserted, nModified, nUpserted]),
    bytesWritten: sum(({ operationMetrics: of }) => [of?.docBytesWritten, of?.idxEntryBytesWritten]),
    indexes: [...new Set(entries.flatMap((entry) => indexOf(entry) ?? []))],
  };
}

function indexOf({ ns, planSummary }: Document): string | null {
  if (typeof planSummary !== 'string') return null;
  const collection = String(ns).split('.').slice(1).join('.');
  const [, keys = '_id'] = /\{ (.*?) \}/.exec(planSummary) ?? [];
  const names = keys.split(', ').map((key) => key.split(':')[0]);
  return `${collection} {${names.join(', ')}}${planSummary.startsWith('COLLSCAN') ? ' COLLSCAN' : ''}`;
}
