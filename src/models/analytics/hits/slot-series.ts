/**
 * Counts by slot in typed arrays, as held by a live chart. A map of numbers takes 40 to 80 bytes per slot, and a thousand charts of 50,000
 * slots may be followed at the same time. Here a slot takes one byte while nearby counts are small, and nothing if there are none.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/time.js';
import type { StoredUnit } from './hit-change.js';

type Counters = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const LENGTH_MS: Readonly<Record<StoredUnit, number>> = { MINUTE: MINUTE_MS, HOUR: HOUR_MS, DAY: DAY_MS };
const CHUNK_SLOTS = 1024;
/** The approximate size of a chunk without its counters. */
const CHUNK_BYTES = 250;
const WIDTHS = [
  { make: Uint8Array, max: 0xff },
  { make: Uint16Array, max: 0xffff },
  { make: Uint32Array, max: 0xffffffff },
  { make: Float64Array, max: Number.POSITIVE_INFINITY },
] as const;

export class SlotSeries {
  readonly #lengthMs: number;
  readonly #chunks = new Map<number, Counters>();
  #bytes = 0;

  constructor(unit: StoredUnit) {
    this.#lengthMs = LENGTH_MS[unit];
  }

  /** The approximate size in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param slot its start @returns 0 if nothing was counted */
  get(slot: number): number {
    const number = slot / this.#lengthMs;
    return this.#chunks.get(Math.floor(number / CHUNK_SLOTS))?.[number % CHUNK_SLOTS] ?? 0;
  }

  set(slot: number, count: number): void {
    const number = slot / this.#lengthMs;
    const key = Math.floor(number / CHUNK_SLOTS);
    let chunk = this.#chunks.get(key);
    if (!chunk) {
      if (count === 0) return;
      chunk = this.#keep(key, undefined, count);
    } else if (!fits(chunk, count)) chunk = this.#keep(key, chunk, count);
    chunk[number % CHUNK_SLOTS] = count;
  }

  /** Drops the slots before this one in whole chunks, so that some of them may remain. */
  forgetBefore(slot: number): void {
    const first = Math.floor(slot / this.#lengthMs / CHUNK_SLOTS);
    for (const [key, chunk] of this.#chunks) {
      if (key >= first) continue;
      this.#chunks.delete(key);
      this.#bytes -= chunk.byteLength + CHUNK_BYTES;
    }
  }

  /** The slots with a count, sorted only within blocks of 1,024. */
  *[Symbol.iterator](): IterableIterator<[slot: number, count: number]> {
    for (const [key, chunk] of this.#chunks) {
      for (let index = 0; index < CHUNK_SLOTS; index += 1) {
        const count = chunk[index];
        if (count) yield [(key * CHUNK_SLOTS + index) * this.#lengthMs, count];
      }
    }
  }

  /** Returns a chunk that is wide enough for a count. */
  #keep(key: number, narrow: Counters | undefined, count: number): Counters {
    const { make: Wide } = WIDTHS.find(({ max }) => count >= 0 && count <= max) ?? WIDTHS[3];
    const chunk = new Wide(CHUNK_SLOTS);
    if (narrow) chunk.set(narrow);
    this.#chunks.set(key, chunk);
    this.#bytes += chunk.byteLength - (narrow?.byteLength ?? -CHUNK_BYTES);
    return chunk;
  }
}

function fits(chunk: Counters, count: number): boolean {
  const width = WIDTHS.find(({ make }) => chunk instanceof make);
  return chunk instanceof Float64Array || (count >= 0 && count <= (width?.max ?? 0));
}
