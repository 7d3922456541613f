/** The database of this process: an external MongoDB (`MONGODB_URI`), or the embedded server. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { type Connection, connect } from './connection/client.js';
import { type OnStep, openEmbeddedServer } from './embedded/index.js';

export interface OpenDatabase extends Connection {
  /** The folder of the embedded server; null for an external MongoDB. */
  readonly folder: string | null;
  /** Closes the connection and releases the embedded server, which stops when no other process uses it. */
  close(): Promise<void>;
}

type DatabaseConfig = Pick<
  Config,
  'MONGODB_URI' | 'MONGODB_DATABASE' | 'MONGOD_BINARY' | 'DATA_DIR' | 'XDG_CACHE_HOME'
>;

/** @throws DatabaseError it cannot be reached, started or used */
export async function openDatabase(config: DatabaseConfig, onStep: OnStep): Promise<OpenDatabase> {
  if (config.MONGODB_URI) {
    onStep({ text: 'Connecting to MongoDB' });
    const connection = await connect(config.MONGODB_URI, config.MONGODB_DATABASE);
    return { ...connection, folder: null, close: () => connection.client.close() };
  }
  const folder = resolve(config.DATA_DIR, 'mongodb');
  const cacheFolder = join(config.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sextant');
  const server = await openEmbeddedServer({ folder, cacheFolder, binary: config.MONGOD_BINARY, onStep });
  try {
    const connection = await connect(server.uri, config.MONGODB_DATABASE);
    const close = async () => {
      await connection.client.close();
      await server.close();
    };
    return { ...connection, folder, close };
  } catch (error) {
    await server.close();
    throw error;
  }
}
