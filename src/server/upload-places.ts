/** How many requests with files are taken at once: in all, and of one person or key, so that nobody keeps the others from sending theirs. */
import { BusyError } from '../shared/errors.js';
import type { Viewer } from './viewer.js';

/** Each may fill the disk with its files while it runs. */
const PLACES_MAX = 8;
const PLACES_OF_ONE_MAX = 2;
/** A place is free when a file has arrived: seconds rather than milliseconds. */
const RETRY_AFTER_MS = 5000;

/** Whoever asks has taken all that one may have. */
export class OwnPlacesTaken extends BusyError {
  constructor() {
    super(`You are sending files in ${PLACES_OF_ONE_MAX} requests already: wait for one to end`, RETRY_AFTER_MS);
  }
}

export class UploadPlaces {
  readonly #held = new Map<string, number>();
  #count = 0;

  /** For metrics. */
  get count(): number {
    return this.#count;
  }

  /** @returns to be called once, when the request has ended @throws BusyError there is no place */
  take({ id, keyId }: Viewer): () => void {
    const who = id ?? keyId ?? '';
    const held = this.#held.get(who) ?? 0;
    if (held >= PLACES_OF_ONE_MAX) throw new OwnPlacesTaken();
    if (this.#count >= PLACES_MAX) throw new BusyError('Too many files are being sent at once', RETRY_AFTER_MS);
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
