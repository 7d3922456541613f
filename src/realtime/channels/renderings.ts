/**
 * A cache of rendered states, for subscribers that arrive at the same moment. A large rendering uses many times the memory of the
 * state, so only a few are kept, and none for long.
 */
const KEPT_MAX = 4;
const KEPT_MS = 1000;

interface Rendering {
  readonly owner: object;
  readonly kind: string;
  readonly event: unknown;
  readonly at: number;
}

export class Renderings {
  #kept: Rendering[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** How many are kept. */
  get count(): number {
    return this.#kept.length;
  }

  /** The rendering of an owner's current state, made if it is missing. */
  get<Event>(owner: object, kind: string, make: () => Event): Event {
    const now = performance.now();
    this.#kept = this.#kept.filter(({ at }) => now - at < KEPT_MS);
    const known = this.#kept.find((each) => each.owner === owner && each.kind === kind);
    if (known) return known.event as Event; // made for the same owner and kind, by the same `make`
    const event = make();
    this.#kept.push({ owner, kind, event, at: now });
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
    this.#timer ??= setTimeout(() => this.#expire(), KEPT_MS).unref();
    return event;
  }

  /** The owner's state has changed. */
  forget(owner: object): void {
    if (this.#kept.some((each) => each.owner === owner)) this.#kept = this.#kept.filter((each) => each.owner !== owner);
  }

  #expire(): void {
    const now = performance.now();
    this.#kept = this.#kept.filter(({ at }) => now - at < KEPT_MS);
    const [oldest] = this.#kept;
    this.#timer = oldest && setTimeout(() => this.#expire(), KEPT_MS - (now - oldest.at)).unref();
  }
}
