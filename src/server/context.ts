/** What a resolver meets: who asks, the database, the services of this process. Made once for each operation, in one place. */
import type { Db, MongoClient } from 'mongodb';
import type { Config } from '../config.js';
import { type Clock, lastWriteOf, withWriteClock } from '../database/index.js';
import type { HitRecorder } from '../models/analytics/hit-recorder.js';
import type { LogImporter } from '../models/analytics/log-importer.js';
import { type CatalogLoaders, makeCatalogLoaders } from '../models/commerce/catalog-loaders.js';
import type { Store } from '../models/commerce/store.js';
import type { SessionRules } from '../models/people/session.js';
import type { MaintenanceService } from '../models/system/maintenance.js';
import type { AccountHub, Hub, Load } from '../realtime/index.js';
import { formatClusterTime } from '../shared/cluster-time.js';
import type { AccessTokens } from './access-token.js';
import { accountOf } from './account.js';
import type { CartAllowance } from './allowance.js';
import type { BrowserSession } from './browser-session.js';
import type { Identities } from './identities.js';
import type { Mailer } from './mailer.js';
import type { Viewer } from './viewer.js';

/** What lives as long as the process. */
export interface Services {
  readonly config: Config;
  readonly client: MongoClient;
  readonly db: Db;
  /** By what the database is known. */
  readonly databaseIdentity: string;
  /** The database's time: what this process's own clock says is written nowhere, and compared with nothing. */
  readonly now: Clock;
  /** The group commit of hits. */
  readonly hits: HitRecorder;
  /** Runs imports in the background. */
  readonly imports: LogImporter;
  /** The change-stream hub. */
  readonly hub: Hub;
  /** The shop's currency, payment and times. */
  readonly store: Store;
  /** Checks and recoveries on demand. */
  readonly maintenance: MaintenanceService;
}

/** What the server adds to them. */
export interface ServerServices extends Services {
  readonly accessTokens: AccessTokens;
  /** Of carts that visitors start. */
  readonly cartAllowance: CartAllowance;
  /** Finds out who a token or a key belongs to. */
  readonly identities: Identities;
  readonly mailer: Mailer;
  readonly sessionRules: SessionRules;
  readonly startedAt: Date;
  /** The address by which browsers reach the server: as configured, else where it listens. */
  readonly publicUrl: () => string;
}

/** What a carrier knows of whoever sent the operation. */
export interface Caller {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The caller's address, for throttles and the audit trail. */
  readonly address: string;
  /** The cookies of a browser; of no effect where the carrier has none. */
  readonly browser: BrowserSession;
}

/** What lives as long as an operation. A plain object: Apollo copies it. */
export interface Context extends Omit<ServerServices, 'hub'>, Caller {
  /** The change-stream hub, for what the caller follows. */
  readonly hub: AccountHub;
  /** A mutation's own handle, which knows when it wrote. */
  db: Db;
  /** Whoever signs in or out within the operation goes on as that. */
  viewer: Viewer;
  /** What fields of lists fetch together. Made when first asked for. */
  readonly loaders: () => CatalogLoaders;
}

/** For every carrier: HTTP, sockets, event streams. @param load what the operation takes up, in case that it is a subscription */
export function makeContext(services: ServerServices, caller: Caller, load?: Load): Context {
  let loaders: CatalogLoaders | undefined;
  return {
    ...services,
    ...caller,
    hub: services.hub.of(accountOf(caller.viewer, caller.address), load),
    loaders: () => {
      loaders ??= makeCatalogLoaders(services.db);
      return loaders;
    },
  };
}

/** To be called before a mutation begins, so that `writtenAt` can be told when it ends. */
export function timeWrites(context: Context): void {
  context.db = withWriteClock(context.db);
}

/** When what the operation wrote was committed: `extensions.writtenAt`. Undefined when it wrote nothing. */
export function writtenAt({ db }: Context): string | undefined {
  const time = lastWriteOf(db);
  return time && formatClusterTime(time);
}
