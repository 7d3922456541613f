/** The keys that the rows of a file have used so far, so that a later row does not replace an earlier one. */
import { createHash } from 'node:crypto';
import { characterIdOf } from '../world/character-name.js';
import { RowError, type WorldRow } from './rows/world-row.js';

/** Some 50 MB: of each key, 64 bits of a hash are kept. A world of so many rows takes hours to import. */
const KEPT_MAX = 1_000_000;

export class UsedKeys {
  readonly #hashes = new Set<bigint>();

  /** @throws RowError an earlier row has used the key, or the name */
  use(row: WorldRow): void {
    const isFolk = row.type === 'FOLK';
    const key = `${row.type} ${isFolk ? characterIdOf(row.name) : row.key}`;
    const hash = createHash('sha256').update(key).digest().readBigUInt64BE();
    if (this.#hashes.has(hash)) throw new RowError('USED_TWICE', isFolk ? 'name' : 'key');
    if (this.#hashes.size < KEPT_MAX) this.#hashes.add(hash);
  }
}
