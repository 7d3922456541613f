/** The connection to MongoDB, and the refusal of servers that cannot do what is needed. */
import { type Db, MongoClient } from 'mongodb';
import { DatabaseError } from './database-error.js';

const SELECTION_TIMEOUT_MS = 10_000;
const OLDEST_MAJOR = 6;

export interface Connection {
  readonly client: MongoClient;
  readonly db: Db;
  readonly version: string;
  /** The replica set's name, or `mongos`. */
  readonly deployment: string;
}

/**
 * Connects, and makes sure that the server is a replica set or a sharded cluster of at least 6.0.
 * @throws DatabaseError unreachable, standalone, or too old
 */
export async function connect(uri: string, database: string): Promise<Connection> {
  const client = new MongoClient(uri, {
    appName: 'sextant',
    serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
    retryWrites: true,
    writeConcern: { w: 'majority' },
    ignoreUndefined: true,
  });
  try {
    await client.connect();
    const hello = await client.db('admin').command({ hello: 1 });
    const { version } = await client.db('admin').command({ buildInfo: 1 });
    const deployment = hello.msg === 'isdbgrid' ? 'mongos' : hello.setName;
    if (!deployment) throw new DatabaseError(STANDALONE);
    if (Number.parseInt(version, 10) < OLDEST_MAJOR) throw new DatabaseError(tooOld(version));
    return { client, db: client.db(database), version, deployment };
  } catch (error) {
    await client.close();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`MongoDB does not answer at ${withoutPassword(uri)}: ${(error as Error).message}`);
  }
}

const STANDALONE =
  'The MongoDB server is a standalone: it has no change streams and no transactions. ' +
  'Start it with --replSet rs0, run rs.initiate() once, and add ?replicaSet=rs0 to MONGODB_URI; one member is enough';
const tooOld = (version: string) => `The MongoDB server is version ${version}; Sextant needs 6.0 or newer`;
const withoutPassword = (uri: string) => uri.replace(/\/\/[^@/]*@/, '//');
