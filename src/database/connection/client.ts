/** The connection to MongoDB, and the rejection of servers that lack required features. */
import { type Db, type Document, MongoClient, MongoServerSelectionError } from 'mongodb';
import { isTracing } from '../../shared/tracing.js';
import { traceCommands } from './command-spans.js';
import { DatabaseError } from './database-error.js';

const SELECTION_TIMEOUT_MS = 10_000; // an election takes about as long
const DIAGNOSIS_TIMEOUT_MS = 2_000;
/**
 * A member that is silent for the sum of these two counts as lost, and its pending commands fail. A frozen member would keep its
 * connections open.
 */
const HEARTBEAT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
const OLDEST_MAJOR = 6;

export interface Connection {
  readonly client: MongoClient;
  readonly db: Db;
  /** Includes the password, for threads that open their own connection. */
  readonly uri: string;
  readonly version: string;
  /** The replica set's name, or `mongos`. */
  readonly deployment: string;
}

/**
 * Connects, and checks that the server is a replica set or a sharded cluster, version 6.0 or newer.
 * @param selectionTimeoutMs how long to wait for a primary, now and later
 * @throws DatabaseError unreachable, standalone, not initiated, or too old
 */
export async function connect(
  uri: string,
  database: string,
  selectionTimeoutMs = SELECTION_TIMEOUT_MS,
): Promise<Connection> {
  const client = makeClient(uri, selectionTimeoutMs);
  try {
    await client.connect();
    const hello = await client.db('admin').command({ hello: 1 });
    const { version } = await client.db('admin').command({ buildInfo: 1 });
    requireNotAlone(hello);
    if (Number.parseInt(version, 10) < OLDEST_MAJOR) throw new DatabaseError(`${tooOld} ${version}`);
    return { client, db: client.db(database), uri, version, deployment: isMongos(hello) ? 'mongos' : hello.setName };
  } catch (error) {
    await client.close();
    if (error instanceof DatabaseError) throw error;
    if (error instanceof MongoServerSelectionError) await diagnose(uri);
    const { message } = error as Error;
    throw new DatabaseError(`Cannot use MongoDB at ${withoutPassword(uri)}: ${message}${hintOf(message)}`);
  }
}

function makeClient(uri: string, serverSelectionTimeoutMS: number): MongoClient {
  try {
    const client = new MongoClient(uri, {
      appName: 'sextant',
      serverSelectionTimeoutMS,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      connectTimeoutMS: CONNECT_TIMEOUT_MS,
      retryWrites: true,
      // The default of every write that names no durability, whatever the URI says. Plain commands do not inherit it.
      writeConcern: { w: 'majority' },
      ignoreUndefined: true,
      monitorCommands: isTracing(),
    });
    if (isTracing()) traceCommands(client);
    return client;
  } catch (error) {
    throw new DatabaseError(`MONGODB_URI is not a MongoDB URI: ${(error as Error).message}`);
  }
}

const isMongos = ({ msg }: Document): boolean => msg === 'isdbgrid';

function requireNotAlone(hello: Document): void {
  if (hello.setName || isMongos(hello)) return;
  throw new DatabaseError(hello.isreplicaset ? NOT_INITIATED : STANDALONE);
}

/** A driver configured for a replica set does not report that the server is a standalone. Asks the server itself. */
async function diagnose(uri: string): Promise<void> {
  const alone = uri.replace(/replicaSet=[^&]*&?/i, '');
  let client: MongoClient | null = null;
  let hello: Document;
  try {
    client = new MongoClient(alone, { directConnection: true, serverSelectionTimeoutMS: DIAGNOSIS_TIMEOUT_MS });
    hello = await client.db('admin').command({ hello: 1 });
  } catch {
    return; // no server answers: the driver's own message says more
  } finally {
    await client?.close();
  }
  requireNotAlone(hello);
}

const STANDALONE =
  'The MongoDB server is a standalone, which has no change streams and no transactions. ' +
  'Start it with --replSet rs0, run rs.initiate() once, and add ?replicaSet=rs0 to MONGODB_URI; one member is enough';
const NOT_INITIATED = 'The MongoDB server belongs to a replica set that is not initiated: run rs.initiate() once';
const tooOld = `Sextant requires MongoDB ${OLDEST_MAJOR}.0 or newer; the server has version`;
/** Servers that are too old for the driver itself. */
const hintOf = (message: string) =>
  /wire version/.test(message) ? `. Sextant requires ${OLDEST_MAJOR}.0 or newer` : '';
const withoutPassword = (uri: string) => uri.replace(/\/\/[^@/]*@/, '//');
