/** Counts per address. An address with a count of 0 is not stored. */
import { addressBlock } from '../../shared/address-block.js';

export class AddressCount {
  readonly #held = new Map<string, number>();

  of(address: string): number {
    return this.#held.get(addressBlock(address)) ?? 0;
  }

  add(address: string, change: 1 | -1): void {
    const block = addressBlock(address);
    const held = (this.#held.get(block) ?? 0) + change;
    if (held > 0) this.#held.set(block, held);
    else this.#held.delete(block);
  }
}
