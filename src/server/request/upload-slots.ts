/** Limits concurrent requests with files, in total and per user or API key, so that no one blocks the uploads of others. */
import { BusyError } from '../../shared/errors.js';
import type { Viewer } from '../identity/viewer.js';

/** Each may fill the disk with its files while it runs. */
const SLOTS_MAX = 8;
const SLOTS_PER_CALLER_MAX = 2;
/** A slot is freed when a file has arrived: seconds rather than milliseconds. */
const RETRY_AFTER_MS = 5000;

/** The caller already uses all slots that one user or key may have. */
export class OwnSlotsTaken extends BusyError {
  constructor() {
    super(`You already have ${SLOTS_PER_CALLER_MAX} uploads in progress: wait for one to end`, RETRY_AFTER_MS);
  }
}

export class UploadSlots {
  readonly #held = new Map<string, number>();
  #count = 0;

  /** For metrics. */
  get count(): number {
    return this.#count;
  }

  /** @returns a function to call once, when the request has ended @throws BusyError there is no free slot */
  take({ id, keyId }: Viewer): () => void {
    const who = id ?? keyId ?? '';
    const held = this.#held.get(who) ?? 0;
    if (held >= SLOTS_PER_CALLER_MAX) throw new OwnSlotsTaken();
    if (this.#count >= SLOTS_MAX) throw new BusyError('Too many uploads are in progress', RETRY_AFTER_MS);
    this.#change(who, 1);
    return () => this.#change(who, -1);
  }

  #change(who: string, by: 1 | -1): void {
    const held = (this.#held.get(who) ?? 0) + by;
    if (held > 0) this.#held.set(who, held);
    else this.#held.delete(who);
    this.#count += by;
  }
}
