/** The recent events, kept for subscribers that reconnect. Bounded by number and estimated bytes: the oldest are dropped. */
import { type ChangeEvent, declaredFeeds } from '../../database/index.js';
import { comparePositions, type Position } from '../cursors/position.js';

export interface RingEntry {
  readonly position: Position;
  readonly event: ChangeEvent;
  /** The topics that the event affects, each prefixed with the name of its feed. */
  readonly topics: readonly string[];
  /** Its estimated size in memory. */
  readonly bytes: number;
}

/** An event with its position, and the topics of all feeds that it affects. */
export function toEntry(position: Position, event: ChangeEvent): RingEntry {
  const topics: string[] = [];
  for (const feed of declaredFeeds()) {
    if (!feed.collections.some(({ collectionName }) => collectionName === event.collection)) continue;
    for (const topic of feed.topics(event)) topics.push(`${feed.name}\0${topic}`);
  }
  return { position, event, topics, bytes: estimateBytes(event) };
}

const ENTRY_BYTES = 400; // of an entry, without its fields
const FIELD_BYTES = 60; // a path and a number, on average

export class Ring {
  readonly #max: { readonly events: number; readonly bytes: number };
  #entries: RingEntry[] = [];
  /** Entries before this index have been dropped. */
  #head = 0;
  #bytes = 0;
  /** Everything after this position is in the ring. */
  #start: Position;

  constructor(start: Position, max: { events: number; bytes: number }) {
    this.#start = start;
    this.#max = max;
  }

  get size(): number {
    return this.#entries.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get start(): Position {
    return this.#start;
  }

  add(entry: RingEntry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    while (this.size > this.#max.events || this.#bytes > this.#max.bytes) this.#dropOldest();
  }

  /** Drops everything: later events start at `start`. */
  clear(start: Position): void {
    this.#entries = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#start = start;
  }

  /** The entries with any of the topics after a position, oldest first; null when the ring does not reach back that far. */
  since(position: Position, topics: ReadonlySet<string>): RingEntry[] | null {
    if (comparePositions(position, this.#start) < 0) return null;
    const found: RingEntry[] = [];
    const isWanted = (topic: string) => topics.has(topic);
    for (let index = this.#entries.length - 1; index >= this.#head; index -= 1) {
      const entry = this.#entries[index];
      if (!entry || comparePositions(entry.position, position) <= 0) break;
      if (entry.topics.some(isWanted)) found.push(entry);
    }
    return found.reverse();
  }

  #dropOldest(): void {
    const oldest = this.#entries[this.#head];
    if (!oldest) return;
    this.#start = oldest.position;
    this.#bytes -= oldest.bytes;
    this.#head += 1;
    if (this.#head > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }
}

function estimateBytes({ documentKey, document, updated }: ChangeEvent): number {
  const name = typeof documentKey._id === 'string' ? documentKey._id.length * 3 : 0; // the id, and the topics derived from it
  return ENTRY_BYTES + name + FIELD_BYTES * (countFields(document) + countFields(updated));
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? 1 + value.length / FIELD_BYTES : 1;
  let count = 0;
  for (const inner of Object.values(value)) count += countFields(inner);
  return count;
}
