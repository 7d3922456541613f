/**
 * The embedded server: a MongoDB replica set of one member in the data folder, used when `MONGODB_URI` is not set. It is shared by
 * all processes that open the same folder, stops after the last of them, and keeps its data.
 *
 * mongod is run here and not by `mongodb-memory-server`: that runner stops the server with the process that started it, while here
 * a second process may be using it; and it brings a second copy of the driver.
 */
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../connection/database-error.js';
import { findMongod } from './binary.js';
import { becomeMember, type Membership } from './membership.js';
import type { OnStep } from './progress.js';
import { readOrCreateRecord } from './record.js';
import { ensureReplicaSet, uriOf } from './replica-set.js';

const REJOIN_DELAY_MS = 250;

export type { OnStep, Step } from './progress.js';

export interface EmbeddedServerOptions {
  /** Holds the data, the log and what processes need to find each other. Created when missing. */
  readonly folder: string;
  /** Where downloaded servers are kept. */
  readonly cacheFolder: string;
  /** `MONGOD_BINARY`: the mongod to run; otherwise one is found or downloaded. */
  readonly binary?: string | undefined;
  readonly onStep?: OnStep;
  /** Server parameters, for tests. No effect when the server is already running. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

export interface EmbeddedServer {
  readonly uri: string;
  /** Releases the server. If no other process uses it, it stops, and this waits until it has stopped. */
  close(): Promise<void>;
}

/** Joins the folder's server, or starts it. Resolves when it accepts connections. @throws DatabaseError why it cannot run */
export async function openEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { cacheFolder, binary, onStep = () => {}, parameters = {} } = options;
  const folder = resolve(options.folder);
  const record = await readOrCreateRecord(folder).catch(refuseFolder);
  const join = () =>
    becomeMember(record, async () => {
      const found = await findMongod({ binary, cacheFolder, onStep });
      onStep({ text: 'Starting the database server' });
      return { binary: found, folder, parameters };
    });
  let membership = await join();
  let closed = false;
  const stay = async () => {
    while (!closed) {
      await membership.lost;
      if (!closed) membership = await rejoin(join);
    }
    await membership.leave();
  };
  void stay();
  await ensureReplicaSet(membership.mongodPort);
  return {
    uri: uriOf(membership.mongodPort),
    close: async () => {
      closed = true;
      await membership.leave();
    },
  };
}

function refuseFolder(error: Error): never {
  throw new DatabaseError(`The embedded server cannot use its data folder (see DATA_DIR): ${error.message}`);
}

/** The supervisor was killed: starts another, which takes over the data. Retries for as long as this process lives. */
async function rejoin(join: () => Promise<Membership>): Promise<Membership> {
  for (;;) {
    try {
      return await join();
    } catch {
      await delay(REJOIN_DELAY_MS, undefined, { ref: false }); // callers learn from the driver that there is no server
    }
  }
}
