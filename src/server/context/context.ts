/** The context of resolvers: the viewer, the database, and the services of this process. Created here, once per operation. */
import type { Db, MongoClient } from 'mongodb';
import type { Config } from '../../config/config.js';
import { type Clock, lastWriteOf, withWriteClock } from '../../database/index.js';
import type { OpenDomain } from '../../models/domain.js';
import type { SessionRules } from '../../models/people/sign-in-session.js';
import type { MaintenanceService } from '../../models/system/maintenance.js';
import type { WorkService } from '../../models/system/work/work-loop.js';
import type { AccountHub, Hub, Load } from '../../realtime/index.js';
import { formatClusterTime } from '../../shared/cluster-time.js';
import type { AccessTokens } from '../identity/access-token.js';
import { accountOf } from '../identity/allowance-account.js';
import type { Caller } from '../identity/caller.js';
import type { Identities } from '../identity/identities.js';
import type { Viewer } from '../identity/viewer.js';
import type { CartAllowance, RequestAllowance } from '../limits/allowance.js';
import type { Mailer } from '../mail/mailer.js';

/** For resolvers, whose subscriptions may have a guard. */
export { guardFollow, isGuarded, type Sight } from '../../realtime/index.js';

/**
 * Services that live as long as the process. Each domain adds its own in `src/resolvers/<domain>/index.ts`; those of a domain that is
 * off are absent, and nothing in the schema asks for them.
 */
export interface Services {
  readonly config: Config;
  readonly client: MongoClient;
  readonly db: Db;
  /** The identity of the database. */
  readonly databaseIdentity: string;
  /** The database's time: this process's own clock is never stored or compared. */
  readonly now: Clock;
  /** The domains that this process runs. */
  readonly domains: readonly OpenDomain[];
  /** The change-stream hub. */
  readonly hub: Hub;
  /** Checks and recoveries on demand. */
  readonly maintenance: MaintenanceService;
  /** Long work of all domains. */
  readonly work: WorkService;
}

/** Batched loaders for fields of lists. Each domain adds its own, as with the services. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains add to it
export interface Loaders {}

/** The services that the server adds. */
export interface ServerServices extends Services {
  /** The rate limit of decisions of ads and of receipts, through the routes for pages and through the API together. */
  readonly adAllowance: RequestAllowance;
  readonly accessTokens: AccessTokens;
  /** The rate limit of carts that visitors start. */
  readonly cartAllowance: CartAllowance;
  /** Finds the owner of a token or a key. */
  readonly identities: Identities;
  readonly mailer: Mailer;
  /** For one operation. */
  readonly makeLoaders: (db: Db) => Loaders;
  readonly sessionRules: SessionRules;
  readonly startedAt: Date;
  /** The URL at which browsers reach the server: as configured, otherwise where it listens. */
  readonly publicUrl: () => string;
}

/** Lives as long as an operation. A plain object, because Apollo copies it. */
export interface Context extends Omit<ServerServices, 'hub'>, Caller {
  /** The change-stream hub, bound to the caller. */
  readonly hub: AccountHub;
  /** A mutation has its own handle, which records when it wrote. */
  db: Db;
  /** Changes when the operation signs in or out. */
  viewer: Viewer;
  /** Created on first use. */
  readonly loaders: () => Loaders;
}

/** For every transport: HTTP, sockets, event streams. @param load the operation's memory, in case it is a subscription */
export function makeContext(services: ServerServices, caller: Caller, load?: Load): Context {
  let loaders: Loaders | undefined;
  return {
    ...services,
    ...caller,
    hub: services.hub.of(accountOf(caller.viewer, caller.address), load),
    loaders: () => {
      loaders ??= services.makeLoaders(services.db);
      return loaders;
    },
  };
}

/** Call before a mutation starts, so that `writtenAt` is known when it ends. */
export function timeWrites(context: Context): void {
  context.db = withWriteClock(context.db);
}

/** The commit time of the operation's writes: `extensions.writtenAt`. Undefined when it wrote nothing. */
export function writtenAt({ db }: Context): string | undefined {
  const time = lastWriteOf(db);
  return time && formatClusterTime(time);
}
