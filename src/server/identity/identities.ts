/**
 * Finds the owner of a bearer credential: our own access token, a token of an external issuer, or an API key.
 *
 * The rights of a credential are read from the database on first use, and cached. A change stream on accounts, sessions and keys
 * notifies every process of changes: dependent cache entries are dropped and read again on next use, and dependent sockets and
 * event streams are closed. So a revoked right works only until the stream reports it: for a fraction of a second, or, while the stream
 * is interrupted, until it resumes. When the stream has lost its position, the whole cache is dropped.
 */
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { Clock } from '../../database/index.js';
import { findApiKey, looksLikeApiKey, noteApiKeyUse } from '../../models/people/api-key.js';
import { findRights, type RightsSource, revokedSource, rightsCollections } from '../../models/people/revocation.js';
import { StreamLoop } from '../../realtime/index.js';
import { BusyError } from '../../shared/errors.js';
import { MINUTE_MS } from '../../shared/time.js';
import type { AccessTokens } from './access-token.js';
import type { ExternalIssuer } from './external-issuer.js';
import { personOf, programOf, type Viewer } from './viewer.js';

const SEEN_BOUNDS = { max: 10_000, maxSize: 10_000_000 };
const USES_BOUNDS = { max: 10_000 };
/** Recorded revocations, for viewers that were read before one and are watched only after it. */
const REVOCATIONS_MAX = 10_000;
/** A lookup is repeated when its result was revoked meanwhile: that happens once, rarely twice. */
const LOOKS_MAX = 5;

export interface IdentitiesOptions {
  readonly db: Db;
  readonly now: Clock;
  readonly accessTokens: AccessTokens;
  /** Null if none is configured. */
  readonly issuer: ExternalIssuer | null;
  /** Called with problems from which it recovers by itself. */
  readonly onTrouble: (trouble: string, error: unknown) => void;
}

/** Something that stays open and depends on a viewer's rights. */
export interface RightsWatcher {
  /** The rights have changed: ends it. */
  rightsChanged(): void;
}

export class Identities {
  readonly #options: IdentitiesOptions;
  readonly #seen = new LRUCache<string, Viewer>(SEEN_BOUNDS);
  /** When the last use of each API key was recorded. */
  readonly #uses = new LRUCache<string, number>(USES_BOUNDS);
  readonly #watchers = new Map<RightsSource, Set<RightsWatcher>>();
  /** Incremented with every revocation. */
  #revocations = 0;
  /** The last revocation of each source; the oldest are dropped. */
  readonly #lastRevocations = new Map<RightsSource, number>();
  /** Up to this revocation it is unknown what was revoked. */
  #forgottenRevocations = 0;
  /** The number of revocations when a viewer was read: callers may hold a viewer for long. */
  readonly #readAfter = new WeakMap<Viewer, number>();
  readonly #stream: StreamLoop;

  private constructor(options: IdentitiesOptions, opened: () => void) {
    this.#options = options;
    this.#stream = new StreamLoop({
      db: options.db,
      // A separate stream: the hub's carries every change of every feed, and is open only while there are subscribers.
      collections: rightsCollections,
      onBegin: () => {
        this.#forgetAll(); // earlier changes are unknown
        opened();
      },
      onBatch: ({ events, gone }) => {
        if (gone.length > 0) return this.#forgetAll();
        const revoked = events.map(({ event }) => revokedSource(event)).filter((source) => source !== null);
        if (revoked.length > 0) this.#forget(new Set(revoked));
      },
      onTrouble: options.onTrouble,
    });
  }

  /** Resolves once it is notified of every change. */
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

  /** @returns null for a credential that is invalid, or no longer valid */
  async find(credential: string): Promise<Viewer | null> {
    const now = this.#options.now();
    const viewer = this.#seen.get(credential) ?? (await this.#look(credential, now));
    if (!viewer || (viewer.expiresAt !== null && viewer.expiresAt <= now)) return null;
    if (viewer.keyId !== null) await this.#noteUse(viewer.keyId, now);
    return viewer;
  }

  /** Notifies the watcher once when a source of the viewer's rights changes, immediately if it already has. */
  watch(viewer: Viewer, watcher: RightsWatcher): void {
    if (this.#isRevoked(viewer, this.#readAfter.get(viewer) ?? this.#revocations)) {
      watcher.rightsChanged();
      return;
    }
    for (const source of viewer.rightsSources) {
      const others = this.#watchers.get(source);
      if (others) others.add(watcher);
      else this.#watchers.set(source, new Set([watcher]));
    }
  }

  unwatch(viewer: Viewer, watcher: RightsWatcher): void {
    for (const source of viewer.rightsSources) {
      const watchers = this.#watchers.get(source);
      watchers?.delete(watcher);
      if (watchers?.size === 0) this.#watchers.delete(source);
    }
  }

  async #look(credential: string, now: Date): Promise<Viewer | null> {
    for (let attempt = 1; attempt <= LOOKS_MAX; attempt += 1) {
      const revocations = this.#revocations;
      const viewer = await this.#recognize(credential, now);
      if (!viewer) return null;
      // It may have been read before a change that was reported before the reply arrived: then it must not be cached.
      if (this.#isRevoked(viewer, revocations)) continue;
      this.#readAfter.set(viewer, revocations);
      this.#seen.set(credential, viewer, { size: credential.length });
      return viewer;
    }
    throw new BusyError('Your account is being changed');
  }

  /** Whether a source of the viewer was revoked after the given revocation. */
  #isRevoked({ rightsSources }: Viewer, since: number): boolean {
    return (
      this.#forgottenRevocations > since ||
      rightsSources.some((source) => (this.#lastRevocations.get(source) ?? 0) > since)
    );
  }

  async #recognize(credential: string, now: Date): Promise<Viewer | null> {
    const { db, accessTokens, issuer } = this.#options;
    if (looksLikeApiKey(credential)) {
      const key = await findApiKey(db, credential);
      return key && programOf({ keyId: key._id, scopes: key.scopes });
    }
    if (issuer?.claims(credential)) return issuer.read(credential, now);
    const claims = await accessTokens.read(credential, now);
    const rights = claims && (await findRights(db, claims, now));
    return rights && personOf({ ...claims, roles: rights.roles });
  }

  async #noteUse(keyId: string, now: Date): Promise<void> {
    const noted = this.#uses.get(keyId);
    if (noted !== undefined && now.getTime() - noted < MINUTE_MS) return;
    this.#uses.set(keyId, now.getTime());
    // The request does not depend on it. The next use is recorded after a minute.
    await noteApiKeyUse(this.#options.db, keyId, now).catch((error: unknown) =>
      this.#options.onTrouble('The use of an API key could not be recorded', error),
    );
  }

  #forget(revoked: ReadonlySet<RightsSource>): void {
    for (const source of revoked) this.#noteRevocation(source);
    for (const [credential, { rightsSources }] of [...this.#seen])
      if (rightsSources.some((source) => revoked.has(source))) this.#seen.delete(credential);
    this.#end([...revoked].flatMap((source) => [...(this.#watchers.get(source) ?? [])]));
  }

  #forgetAll(): void {
    this.#revocations += 1;
    this.#forgottenRevocations = this.#revocations;
    this.#lastRevocations.clear();
    this.#seen.clear();
    this.#end([...this.#watchers.values()].flatMap((watchers) => [...watchers]));
  }

  #noteRevocation(source: RightsSource): void {
    this.#revocations += 1;
    this.#lastRevocations.delete(source); // keeps the map in the order of the last revocations
    this.#lastRevocations.set(source, this.#revocations);
    if (this.#lastRevocations.size <= REVOCATIONS_MAX) return;
    for (const [oldest, revocation] of this.#lastRevocations) {
      this.#lastRevocations.delete(oldest);
      this.#forgottenRevocations = revocation;
      return;
    }
  }

  /** A watcher unregisters itself when it ends. */
  #end(watchers: readonly RightsWatcher[]): void {
    for (const watcher of new Set(watchers)) watcher.rightsChanged();
  }
}
