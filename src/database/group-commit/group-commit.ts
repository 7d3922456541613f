/**
 * The group commit. Records that arrive while a group is being written wait and form the next group, so there is no timer: a lone record
 * is written immediately, and under load the groups grow by themselves. A group is written in one transaction. Each caller gets a
 * response when its record is as durable as requested.
 *
 * In this process one group per durability is written at a time (two would conflict on the same documents), and durabilities never share
 * a group. A record that was not acknowledged is written completely or not at all.
 */
import type { Db } from 'mongodb';
import { BusyError } from '../../shared/errors.js';
import { asUnavailable } from '../connection/unavailable.js';
import type { Durability } from '../writes/durability.js';
import { type GroupKind, type GroupResult, type Measure, notRecorded } from './group.js';
import { GroupWriter } from './group-writer.js';
import { Lane, type Waiting } from './lane.js';

export interface GroupCommitOptions<Entry, Outcome> {
  readonly db: Db;
  /** The maximum weight of all waiting records. */
  readonly waitingMax: number;
  /** How long a group may take before its callers get the error that the database does not respond. */
  readonly groupWaitMaxMs?: number | undefined;
  /** Notified of every group, before its callers get their responses. Must not throw. */
  readonly onWritten?: (entries: readonly Entry[], result: GroupResult<Entry, Outcome>) => void;
}

/**
 * A group that takes longer than this waits for a dead or frozen database, since an election takes less. Its callers get the error that
 * the outcome is unknown. Waiting callers get the error that their records were not written, and so do new ones until the group has ended.
 */
const GROUP_WAIT_MAX_MS = 10_000;
const ONE: Measure = { items: 1, weight: 1 };

export class GroupCommit<Input, Entry extends object, Outcome> {
  readonly #lanes = new Map<Durability, Lane<Input, Entry, Outcome>>();
  readonly #counts = { waiting: 0, weight: 0, groups: 0 };
  readonly #writer: GroupWriter<Input, Entry, Outcome>;
  readonly #kind: GroupKind<Input, Entry, Outcome>;
  readonly #options: GroupCommitOptions<Entry, Outcome>;
  #closed = false;

  constructor(kind: GroupKind<Input, Entry, Outcome>, options: GroupCommitOptions<Entry, Outcome>) {
    this.#kind = kind;
    this.#options = options;
    this.#writer = new GroupWriter(options.db, kind);
  }

  /** The items waiting for their group, and the groups written since the start. */
  get health(): { readonly waiting: number; readonly groups: number } {
    const { waiting, groups } = this.#counts;
    return { waiting, groups };
  }

  /**
   * Writes records. If a call has several, they may be in different groups, in their order.
   * @param prepare must complete before they are written; not called if they are not accepted. If it throws, none is written
   * @returns the result of each record's group; nothing for FIRE_AND_FORGET, which does not wait for them
   * @throws BusyError too many records are waiting, or the group commit is closed; none of these is written
   * @throws UnavailableError the database currently accepts no writes; none of these is written
   */
  async record(
    records: readonly Input[],
    durability: Durability,
    prepare?: () => Promise<void>,
  ): Promise<readonly GroupResult<Entry, Outcome>[]> {
    const lane = this.#laneOf(durability);
    this.#requireOpen(lane);
    const measured = records.map((record) => ({ record, ...(this.#kind.measure?.(record) ?? ONE) }));
    this.#admit(measured);
    try {
      await prepare?.();
      this.#requireOpen(lane); // again: if it has closed or stalled meanwhile, these records would not be answered in time
    } catch (error) {
      this.#forget(measured);
      throw asUnavailable(error) ? notRecorded(this.#kind.words.one) : error;
    }
    const results = measured.map(
      (each) => new Promise<GroupResult<Entry, Outcome>>((answer) => lane.add({ ...each, answer })),
    );
    return durability === 'FIRE_AND_FORGET' ? [] : Promise.all(results);
  }

  /** Waits until everything is written. Accepts no more records. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.idle));
  }

  /** @throws BusyError @throws UnavailableError */
  #requireOpen(lane: Lane<Input, Entry, Outcome>): void {
    if (this.#closed) throw new BusyError('The server is shutting down');
    if (lane.isStalled) throw notRecorded(this.#kind.words.one);
  }

  /** @throws BusyError */
  #admit(records: readonly Measure[]): void {
    const weight = records.reduce((sum, each) => sum + each.weight, 0);
    // An empty queue accepts any single call, so that a small limit does not refuse a large call forever.
    if (this.#counts.weight > 0 && this.#counts.weight + weight > this.#options.waitingMax) {
      throw new BusyError(`Too many ${this.#kind.words.many} are waiting to be written`);
    }
    this.#counts.waiting += records.reduce((sum, each) => sum + each.items, 0);
    this.#counts.weight += weight;
  }

  /** Removes them from the count of waiting records. */
  #forget(records: readonly Measure[]): void {
    for (const { items, weight } of records) {
      this.#counts.waiting -= items;
      this.#counts.weight -= weight;
    }
  }

  #laneOf(durability: Durability): Lane<Input, Entry, Outcome> {
    const present = this.#lanes.get(durability);
    if (present) return present;
    const lane = new Lane({
      kind: this.#kind,
      write: (entries) => this.#write(entries, durability),
      onLeft: (members: readonly Waiting<Input, Entry, Outcome>[]) => this.#forget(members),
      groupWaitMaxMs: this.#options.groupWaitMaxMs ?? GROUP_WAIT_MAX_MS,
    });
    this.#lanes.set(durability, lane);
    return lane;
  }

  async #write(entries: readonly Entry[], durability: Durability): Promise<GroupResult<Entry, Outcome>> {
    const result = await this.#writer.write(entries, durability);
    this.#counts.groups += 1;
    this.#options.onWritten?.(entries, result);
    return result;
  }
}
