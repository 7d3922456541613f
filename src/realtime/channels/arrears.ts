/**
 * What subscribers that are behind need next: the whole state, or the parts that changed since their last event. Parts cost memory;
 * the whole state costs none, as it is rendered only when it is taken. So the number of parts is bounded, per subscriber and in total.
 */
import type { Subscriber } from './subscriber.js';

export interface Pending {
  /** The whole state is next; as a reset, if earlier events are lost. */
  whole: 'snapshot' | 'reset' | null;
  /** The parts that changed since the last event. */
  readonly keys: Set<string>;
}

type Behind = Pick<Subscriber<never, Pending>, 'pending'>;

const KEYS_MAX = 10_000; // for one subscriber: beyond it, the whole state is usually the smaller message
const ALL_KEYS_MAX = 500_000; // some 50 MB

export class Arrears {
  #keys = 0;

  /** Recorded parts, over all subscribers. */
  get keys(): number {
    return this.#keys;
  }

  /**
   * Adds to what it already needs.
   * @param resetAbove with more parts than this it needs the whole state, as a reset
   */
  addKeys(subscriber: Behind, keys: Iterable<string>, resetAbove = Number.POSITIVE_INFINITY): void {
    let pending = subscriber.pending;
    for (const key of keys) {
      pending ??= { whole: null, keys: new Set() };
      if (pending.whole) break;
      const before = pending.keys.size;
      pending.keys.add(key);
      this.#keys += pending.keys.size - before;
      if (pending.keys.size > Math.min(KEYS_MAX, resetAbove) || this.#keys > ALL_KEYS_MAX) {
        this.#keys -= pending.keys.size;
        pending = { whole: resetAbove < KEYS_MAX ? 'reset' : 'snapshot', keys: new Set() };
      }
    }
    subscriber.pending = pending;
  }

  /** Replaces what it needs so far. */
  setWhole(subscriber: Behind, whole: 'snapshot' | 'reset'): void {
    this.clear(subscriber);
    subscriber.pending = { whole, keys: new Set() };
  }

  /** @returns what it needs; the caller must deliver it */
  take(subscriber: Behind): Pending | null {
    const { pending } = subscriber;
    this.clear(subscriber);
    return pending;
  }

  clear(subscriber: Behind): void {
    this.#keys -= subscriber.pending?.keys.size ?? 0;
    subscriber.pending = null;
  }
}
