/**
 * Who a bearer credential belongs to: an access token of ours, a token of an external issuer, an API key.
 *
 * What a credential gives is read from the database when it is first seen here, and remembered. A change stream on accounts, sessions
 * and keys tells every process when one of them changes: then what stands on it is forgotten and read anew at its next use, and open
 * sockets and event streams that stand on it are ended. So nothing that was taken away works for longer than the stream takes to tell,
 * a fraction of a second; while the stream is broken, until it goes on. When it has lost its place, everything is forgotten.
 */
import type { Db } from 'mongodb';
import type { Clock } from '../database/index.js';
import { findApiKey, looksLikeApiKey, noteApiKeyUse } from '../models/people/api-key.js';
import { fallenGround, findStanding, type Ground, standingCollections } from '../models/people/standing.js';
import { StreamLoop } from '../realtime/index.js';
import { BusyError } from '../shared/errors.js';
import { MINUTE_MS } from '../shared/time.js';
import type { AccessTokens } from './access-token.js';
import { BoundedCache } from './bounded-cache.js';
import type { ExternalIssuer } from './external-issuer.js';
import { personOf, programOf, type Viewer } from './viewer.js';

const SEEN_BOUNDS = { entriesMax: 10_000, sizeMax: 10_000_000 };
const USES_BOUNDS = { entriesMax: 10_000, sizeMax: 10_000 };
/** Falls that are remembered, for whoever was read before one and asks to be watched after it. */
const FALLS_MAX = 10_000;
/** A look is repeated when what it read fell meanwhile: that happens once, seldom twice. */
const LOOKS_MAX = 5;

export interface IdentitiesOptions {
  readonly db: Db;
  readonly now: Clock;
  readonly accessTokens: AccessTokens;
  /** Null where there is none. */
  readonly issuer: ExternalIssuer | null;
  /** Told of what it gets over by itself. */
  readonly onTrouble: (trouble: string, error: unknown) => void;
}

/** What stays open and stands on somebody's rights. */
export interface RightsWatcher {
  /** They are not what they were: ends it. */
  rightsChanged(): void;
}

export class Identities {
  readonly #options: IdentitiesOptions;
  readonly #seen = new BoundedCache<Viewer>(SEEN_BOUNDS);
  /** When the last use of each API key was noted. */
  readonly #uses = new BoundedCache<number>(USES_BOUNDS);
  readonly #watchers = new Map<Ground, Set<RightsWatcher>>();
  /** Rises with everything that falls. */
  #falls = 0;
  /** Which fall was the last of each ground; the oldest are forgotten. */
  readonly #lastFalls = new Map<Ground, number>();
  /** Up to this fall it is not known what fell. */
  #forgottenFalls = 0;
  /** How many falls had been told when a viewer was read: it may be in somebody's hands for long. */
  readonly #readAfter = new WeakMap<Viewer, number>();
  readonly #stream: StreamLoop;

  private constructor(options: IdentitiesOptions, opened: () => void) {
    this.#options = options;
    this.#stream = new StreamLoop({
      db: options.db,
      // A stream of its own: the hub's carries every change of every feed, and is open only while somebody follows one.
      collections: standingCollections,
      onBegin: () => {
        this.#forgetAll(); // what happened before this moment is not known
        opened();
      },
      onBatch: ({ events, gone }) => {
        if (gone.length > 0) return this.#forgetAll();
        const fallen = events.map(({ event }) => fallenGround(event)).filter((ground) => ground !== null);
        if (fallen.length > 0) this.#forget(new Set(fallen));
      },
      onTrouble: options.onTrouble,
    });
  }

  /** Resolves when it is told of every change. */
  static async open(options: IdentitiesOptions): Promise<Identities> {
    let identities: Identities | undefined;
    await new Promise<void>((resolve) => {
      identities = new Identities(options, resolve);
    });
    return identities as unknown as Identities;
  }

  close(): Promise<void> {
    return this.#stream.stop();
  }

  /** @returns null for a credential that is not good (any more) */
  async find(credential: string): Promise<Viewer | null> {
    const now = this.#options.now();
    const viewer = this.#seen.get(credential) ?? (await this.#look(credential, now));
    if (!viewer || (viewer.expiresAt !== null && viewer.expiresAt <= now)) return null;
    if (viewer.keyId !== null) await this.#noteUse(viewer.keyId, now);
    return viewer;
  }

  /** Tells the watcher once when something that the viewer's rights stand on changes: now, if it has already. */
  watch(viewer: Viewer, watcher: RightsWatcher): void {
    if (this.#hasFallen(viewer, this.#readAfter.get(viewer) ?? this.#falls)) {
      watcher.rightsChanged();
      return;
    }
    for (const ground of viewer.grounds) {
      const others = this.#watchers.get(ground);
      if (others) others.add(watcher);
      else this.#watchers.set(ground, new Set([watcher]));
    }
  }

  unwatch(viewer: Viewer, watcher: RightsWatcher): void {
    for (const ground of viewer.grounds) {
      const watchers = this.#watchers.get(ground);
      watchers?.delete(watcher);
      if (watchers?.size === 0) this.#watchers.delete(ground);
    }
  }

  async #look(credential: string, now: Date): Promise<Viewer | null> {
    for (let attempt = 1; attempt <= LOOKS_MAX; attempt += 1) {
      const falls = this.#falls;
      const viewer = await this.#recognise(credential, now);
      if (!viewer) return null;
      // It may have been read before a change that was told before the answer came: then it must not be remembered.
      if (this.#hasFallen(viewer, falls)) continue;
      this.#readAfter.set(viewer, falls);
      this.#seen.set(credential, viewer, credential.length);
      return viewer;
    }
    throw new BusyError('Your account is changing at this moment');
  }

  /** Whether something that the viewer stands on has fallen since so many falls were told. */
  #hasFallen({ grounds }: Viewer, since: number): boolean {
    return this.#forgottenFalls > since || grounds.some((ground) => (this.#lastFalls.get(ground) ?? 0) > since);
  }

  async #recognise(credential: string, now: Date): Promise<Viewer | null> {
    const { db, accessTokens, issuer } = this.#options;
    if (looksLikeApiKey(credential)) {
      const key = await findApiKey(db, credential);
      return key && programOf({ keyId: key._id, scopes: key.scopes });
    }
    if (issuer?.claims(credential)) return issuer.read(credential, now);
    const claims = await accessTokens.read(credential, now);
    const standing = claims && (await findStanding(db, claims, now));
    return standing && personOf({ ...claims, roles: standing.roles });
  }

  async #noteUse(keyId: string, now: Date): Promise<void> {
    const noted = this.#uses.get(keyId);
    if (noted !== undefined && now.getTime() - noted < MINUTE_MS) return;
    this.#uses.set(keyId, now.getTime(), 1);
    // What the program wants does not depend on it. The next use is noted after a minute.
    await noteApiKeyUse(this.#options.db, keyId, now).catch((error: unknown) =>
      this.#options.onTrouble('the use of an API key could not be noted', error),
    );
  }

  #forget(fallen: ReadonlySet<Ground>): void {
    for (const ground of fallen) this.#noteFall(ground);
    this.#seen.deleteWhere(({ grounds }) => grounds.some((ground) => fallen.has(ground)));
    this.#end([...fallen].flatMap((ground) => [...(this.#watchers.get(ground) ?? [])]));
  }

  #forgetAll(): void {
    this.#falls += 1;
    this.#forgottenFalls = this.#falls;
    this.#lastFalls.clear();
    this.#seen.deleteWhere(() => true);
    this.#end([...this.#watchers.values()].flatMap((watchers) => [...watchers]));
  }

  #noteFall(ground: Ground): void {
    this.#falls += 1;
    this.#lastFalls.delete(ground); // so that the order is that of the last falls
    this.#lastFalls.set(ground, this.#falls);
    if (this.#lastFalls.size <= FALLS_MAX) return;
    for (const [oldest, fall] of this.#lastFalls) {
      this.#lastFalls.delete(oldest);
      this.#forgottenFalls = fall;
      return;
    }
  }

  /** A watcher stops watching when it has ended. */
  #end(watchers: readonly RightsWatcher[]): void {
    for (const watcher of new Set(watchers)) watcher.rightsChanged();
  }
}
