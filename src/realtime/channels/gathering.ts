/** Events that arrive while a snapshot is read, up to a bound. */
import type { RingEntry } from '../stream/ring.js';

const ENTRIES_MAX = 10_000;
const BYTES_MAX = 8_388_608; // estimated; per snapshot

export class Gathering {
  readonly entries: RingEntry[] = [];
  #bytes = 0;

  /** Too many events arrived: some are missing. */
  overflowed = false;

  add(entry: RingEntry): void {
    this.#bytes += entry.bytes;
    if (this.entries.length < ENTRIES_MAX && this.#bytes <= BYTES_MAX) this.entries.push(entry);
    else {
      this.overflowed = true;
      this.entries.length = 0;
    }
  }
}
