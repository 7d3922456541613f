/** Information reported by the database server. */
import { type MongoClient, MongoServerError, type Timestamp } from 'mongodb';

export interface DatabaseDescription {
  readonly version: string;
  /** The replica set's name, or `mongos`. */
  readonly deployment: string;
  /** Null if unknown: behind mongos, or without permission to read the oplog. */
  readonly oplogWindowSeconds: number | null;
}

export async function describeDatabase(client: MongoClient): Promise<DatabaseDescription> {
  const admin = client.db('admin');
  const [{ version }, hello, oplogWindowSeconds] = await Promise.all([
    admin.command({ buildInfo: 1 }),
    admin.command({ hello: 1 }),
    findOplogWindow(client),
  ]);
  return { version, deployment: hello.setName ?? 'mongos', oplogWindowSeconds };
}

async function findOplogWindow(client: MongoClient): Promise<number | null> {
  const oplog = client.db('local').collection<{ ts: Timestamp }>('oplog.rs');
  const end = (order: 1 | -1) =>
    oplog
      .find({}, { projection: { ts: 1 } })
      .sort({ $natural: order })
      .limit(1)
      .next();
  try {
    const [first, last] = await Promise.all([end(1), end(-1)]);
    return first && last ? last.ts.getHighBitsUnsigned() - first.ts.getHighBitsUnsigned() : null;
  } catch (error) {
    if (error instanceof MongoServerError) return null;
    throw error;
  }
}
