/** An LRU cache, bounded by number and by size. */

export interface CacheBounds {
  readonly entriesMax: number;
  /** The sum of the sizes passed to `set`. */
  readonly sizeMax: number;
}

export class BoundedCache<Value> {
  readonly #entries = new Map<string, { value: Value; size: number }>(); // least recently used first
  #size = 0;

  constructor(private readonly bounds: CacheBounds) {}

  get count(): number {
    return this.#entries.size;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, size: number): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.bounds.entriesMax && this.#size <= this.bounds.sizeMax) return;
      this.delete(oldest);
    }
  }

  /** @returns the values that were removed */
  deleteWhere(matches: (value: Value) => boolean): Value[] {
    const removed = [...this.#entries].filter(([, { value }]) => matches(value));
    for (const [key] of removed) this.delete(key);
    return removed.map(([, { value }]) => value);
  }

  delete(key: string): boolean {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    return this.#entries.delete(key);
  }
}
