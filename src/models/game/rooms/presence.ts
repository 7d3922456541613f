/**
 * Presence (`game.presences`): being online is a lease, which the process of the subscription renews. The player's entry in the room says
 * whether there is one, so that everybody in it sees it. A process that dies leaves leases that expire: a job marks who is away.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Clock, defineCollection } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { SECOND_MS } from '../../../shared/time.js';
import { changeOf } from '../world/change.js';
import { findCharacter } from '../world/character.js';
import { type LocationDocument, locations } from '../world/location.js';

interface PresenceDocument {
  /** Of one subscription. */
  _id: string;
  character: string;
  process: string;
  /** By the server's clock. */
  until: Date;
}

export const presences = defineCollection<PresenceDocument>(
  'game.presences',
  [
    { key: { character: 1 } }, // isOnline
    { key: { process: 1 } }, // renew
    { key: { until: 1 } }, // sweep
  ],
  { isBookkeeping: true },
);

const LEASE_MS = 20 * SECOND_MS;
/** Two renewals may fail. */
const RENEW_MS = 6 * SECOND_MS;
/** How often the job looks. With the lease this is less than half a minute. */
export const SWEEP_MS = 5 * SECOND_MS;

const untilFromNow = [{ $set: { until: { $add: ['$$NOW', LEASE_MS] } } }];

/** The presences of this process. */
export class Presences {
  readonly #db: Db;
  readonly #now: Clock;
  readonly #changed: (room: string) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #process = randomUUID();
  readonly #leaving = new Set<Promise<void>>();
  /** The characters, by lease. */
  readonly #held = new Map<string, string>();
  #renewal: NodeJS.Timeout | undefined;

  constructor(db: Db, now: Clock, changed: (room: string) => void, onFault: (error: unknown) => void) {
    this.#db = db;
    this.#now = now;
    this.#changed = changed;
    this.#onFault = onFault;
  }

  /** A character is followed from now on. Call `leave` when it is not any more. */
  async enter(character: string): Promise<{ leave(): void }> {
    const _id = randomUUID();
    const leave = () => this.#leave(_id, character);
    this.#held.set(_id, character);
    this.#renewal ??= setInterval(() => void this.#renew(), RENEW_MS).unref();
    try {
      await this.#note(_id, character);
      failpoint('game.presence-noted');
      await settle(this.#db, character, this.#now(), this.#changed);
    } catch (error) {
      leave();
      throw error;
    }
    return { leave };
  }

  /** Guard: the lease is of this process alone. An upsert, because only an update knows the server's time. */
  async #note(_id: string, character: string): Promise<void> {
    const fields = { character: { $literal: character }, process: this.#process };
    await presences(this.#db).updateOne({ _id }, [{ $set: fields }, ...untilFromNow], { upsert: true });
  }

  #leave(_id: string, character: string): void {
    this.#held.delete(_id);
    if (this.#held.size === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
    }
    const leaving: Promise<void> = this.#remove(_id, character)
      .catch(this.#onFault) // it is removed before it is renewed once more
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  async #remove(_id: string, character: string): Promise<void> {
    await presences(this.#db).deleteOne({ _id });
    failpoint('game.presence-removed');
    await settle(this.#db, character, this.#now(), this.#changed);
  }

  async #renew(): Promise<void> {
    try {
      const { matchedCount } = await presences(this.#db).updateMany({ process: this.#process }, untilFromNow);
      if (matchedCount !== this.#held.size) await this.#correct();
    } catch (error) {
      this.#onFault(error);
    }
  }

  /**
   * While this process was paused, another one has removed its leases; or one that is not held any more could not be removed, and would be
   * renewed for ever.
   */
  async #correct(): Promise<void> {
    const lost = new Map(this.#held);
    const own = presences(this.#db).find({ process: this.#process }, { projection: { character: 1 } });
    for await (const { _id, character } of own) {
      lost.delete(_id);
      if (!this.#held.has(_id)) await this.#remove(_id, character);
    }
    for (const [_id, character] of lost) {
      await this.#note(_id, character);
      if (this.#held.has(_id)) await settle(this.#db, character, this.#now(), this.#changed);
      else await this.#remove(_id, character); // it has left meanwhile
    }
  }

  /** Waits until those who have left are away. */
  async close(): Promise<void> {
    clearInterval(this.#renewal);
    await Promise.all(this.#leaving);
  }
}

const isOnline = async (db: Db, character: string): Promise<boolean> =>
  (await presences(db).findOne({ character, $expr: { $gt: ['$until', '$$NOW'] } }, { projection: { _id: 1 } })) !==
  null;

const ATTEMPTS_MAX = 10; // the job looks again
const PAUSE_MS = 20; // a character on its way is in a room soon

/** Makes the player's entry in the room say whether somebody follows the character. */
async function settle(db: Db, character: string, now: Date, changed: (room: string) => void): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const online = await isOnline(db, character);
    const room = await findRoom(db, character);
    if (room === 'NOWHERE') return;
    const entry = room?.players.find(({ id }) => id === character);
    if (entry?.is_online === online) return;
    if (!room || !entry) {
      await pause(PAUSE_MS);
      continue;
    }
    const { matchedCount } = await locations(db).updateOne(
      { _id: room._id, players: { $elemMatch: { id: character, is_online: !online } } }, // guard: it is there, and says otherwise
      { $set: { 'players.$.is_online': online }, ...changeOf({ at: now }, null) },
    );
    failpoint('game.presence-shown');
    if (matchedCount === 1) changed(room._id); // then once more: it may have been left or entered meanwhile
  }
}

/** The room of a character. Null while it is on its way. */
async function findRoom(
  db: Db,
  character: string,
): Promise<Pick<LocationDocument, '_id' | 'players'> | null | 'NOWHERE'> {
  const found = await findCharacter(db, character);
  if (!found) return 'NOWHERE';
  return locations(db).findOne({ _id: found.location._id }, { projection: { players: 1 } });
}

/** Removes leases that have expired, and corrects what rooms say. Bounded by the number of those who are online. */
export async function sweepPresences(db: Db, now: Date, changed: (room: string) => void): Promise<void> {
  const toSettle = new Set<string>();
  for await (const { _id, character, until } of presences(db).find({ until: { $lt: now } })) {
    await presences(db).deleteOne({ _id, until }); // guard: it has not been renewed
    failpoint('game.presence-expired');
    toSettle.add(character);
  }
  const online = new Set<string>();
  for await (const { players } of locations(db).find({ 'players.is_online': true }, { projection: { players: 1 } }))
    for (const { id, is_online } of players) if (is_online) online.add(id);
  const following = new Set<string>();
  for await (const { character } of presences(db).find({ character: { $gt: '' } }, { projection: { character: 1 } }))
    following.add(character);
  for (const id of online) if (!following.has(id)) toSettle.add(id);
  for (const id of following) if (!online.has(id)) toSettle.add(id);
  for (const character of toSettle) await settle(db, character, now, changed);
}
