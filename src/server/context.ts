/** What a resolver meets: who asks, the database, the services of this process. Made once for each operation, in one place. */
import type { Db, MongoClient, Timestamp } from 'mongodb';
import type { Config } from '../config.js';
import type { HitRecorder } from '../models/analytics/hit-recorder.js';
import type { Hub } from '../realtime/index.js';
import type { Viewer } from './viewer.js';

/** What lives as long as the process. */
export interface Services {
  readonly config: Config;
  readonly client: MongoClient;
  readonly db: Db;
  /** The group commit of hits. */
  readonly hits: HitRecorder;
  /** The change-stream hub. */
  readonly hub: Hub;
}

/** What lives as long as an operation. A plain object: Apollo copies it. */
export interface Context extends Services {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The caller's address, for throttles and the audit trail. */
  readonly address: string;
  readonly now: () => Date;
  /** Tells when a mutation's write was committed; the latest goes to the client as `extensions.writtenAt`. */
  readonly wrote: (at: Timestamp | undefined) => void;
}
