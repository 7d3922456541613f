/**
 * A sharded collection as its config servers see it: which shard has which range of keys. Documents are inserted one after the other,
 * chunks that grow too large are split, and the balancer moves them. Pure and deterministic: the same documents give the same chunks.
 *
 * As in MongoDB 6.0.3 and later, the balancer uses the size of the data. It acts when the fullest shard has at least three chunks' worth
 * of data more than the emptiest ("Migration Thresholds" in the manual; earlier versions used the number of chunks). A shard takes part
 * in one move at a time. A chunk is split when it reaches the limit, at the median of its keys. The server splits only what it moves, but
 * a split by itself moves nothing. A chunk with a single key value cannot be split. Above the limit it is jumbo and is never moved.
 */
import type { RankRange } from './shard-key-space.js';

/** A half-open range of keys, and the shard that has it. */
interface Chunk extends RankRange {
  from: number;
  to: number;
  shard: number;
  documents: number;
  /** The number of documents at which a split is attempted (again). */
  splitAt: number;
}

interface ClusterOptions {
  readonly shards: number;
  /** The number of distinct keys: ranks from 0 up to this, exclusive. */
  readonly keys: number;
  /** The maximum size of a chunk, in documents. */
  readonly chunkDocuments: number;
  /**
   * The lower bounds of pre-split chunks, ascending, which are distributed evenly over the shards. If omitted, one chunk of all keys on
   * the first shard, as for ranged keys.
   */
  readonly splitPoints?: readonly number[];
}

const IMBALANCE_CHUNKS = 3;
/** How much a chunk that could not be split must grow before the next attempt, as a fraction of the limit. */
const RETRY_GROWTH = 0.25;

export class ShardCluster {
  /** In key order. Together they cover every key once. */
  readonly chunks: Chunk[];
  /** The number of documents of each shard. */
  readonly documents: Float64Array;
  /** The number of chunk moves by the balancer. */
  moves = 0;
  readonly #options: ClusterOptions;
  /** In order of creation. */
  readonly #made: Chunk[];
  /** By key, the position of its chunk in that order. */
  readonly #chunkOf: Uint32Array;
  readonly #documentsOf: Uint32Array;
  #inserted = 0;

  constructor(options: ClusterOptions) {
    const { shards, keys, chunkDocuments, splitPoints = [] } = options;
    this.#options = options;
    const begins = [0, ...splitPoints];
    this.chunks = begins.map((from, index) => ({
      from,
      to: begins[index + 1] ?? keys,
      shard: Math.floor((index * shards) / begins.length),
      documents: 0,
      splitAt: chunkDocuments,
    }));
    this.documents = new Float64Array(shards);
    this.#documentsOf = new Uint32Array(keys);
    this.#made = [...this.chunks];
    this.#chunkOf = new Uint32Array(keys);
    for (const [place, { from, to }] of this.#made.entries()) this.#chunkOf.fill(place, from, to);
  }

  /** Stores a document. @returns the shard that received it */
  insert(key: number): number {
    const chunk = this.#made[this.#chunkOf[key] ?? -1];
    if (!chunk) throw new RangeError(`There is no key ${key}`);
    const { shard } = chunk;
    this.#documentsOf[key] = (this.#documentsOf[key] ?? 0) + 1;
    this.documents[shard] = (this.documents[shard] ?? 0) + 1;
    chunk.documents += 1;
    if (chunk.documents >= chunk.splitAt) this.#split(chunk);
    this.#inserted += 1;
    // Moving a chunk takes as long as a chunk's worth of inserts.
    if (this.#inserted % this.#options.chunkDocuments === 0) this.#balance();
    return shard;
  }

  /** Splits all chunks that can be split, because some may be waiting for their next attempt. Call it before inspecting the chunks. */
  settle(): void {
    for (const chunk of [...this.chunks]) if (this.#isTooLarge(chunk)) this.#split(chunk);
  }

  /** The shards that hold any of these keys. */
  shardsOf({ from, to }: RankRange): Set<number> {
    const shards = new Set<number>();
    for (let index = this.#placeOf(from); index < this.chunks.length; index += 1) {
      const chunk = this.chunks[index];
      if (!chunk || chunk.from >= to) break;
      shards.add(chunk.shard);
    }
    return shards;
  }

  /** Chunks over the limit that cannot be split. Call `settle` first. */
  get jumboChunks(): number {
    return this.chunks.filter((chunk) => this.#isTooLarge(chunk)).length;
  }

  #isTooLarge = ({ documents }: Chunk): boolean => documents > this.#options.chunkDocuments;

  /** Splits at the median, repeatedly if a part is still too large. */
  #split(chunk: Chunk): void {
    const { chunkDocuments } = this.#options;
    const median = this.#findMedian(chunk);
    if (!median) {
      chunk.splitAt = chunk.documents + Math.ceil(chunkDocuments * RETRY_GROWTH);
      return;
    }
    const upper: Chunk = {
      from: median.key,
      to: chunk.to,
      shard: chunk.shard,
      documents: chunk.documents - median.below,
      splitAt: chunkDocuments,
    };
    chunk.to = median.key;
    chunk.documents = median.below;
    chunk.splitAt = chunkDocuments;
    this.#chunkOf.fill(this.#made.push(upper) - 1, upper.from, upper.to);
    this.chunks.splice(this.#placeOf(chunk.from) + 1, 0, upper);
    for (const part of [chunk, upper]) if (part.documents >= part.splitAt) this.#split(part);
  }

  /**
   * The key of the median document, or the next key with documents if that is the first one, because both parts need some.
   * @returns null when all documents have the same key
   */
  #findMedian({ from, to, documents }: Chunk): { readonly key: number; readonly below: number } | null {
    let below = 0;
    for (let key = from; key < to && below < documents; key += 1) {
      const own = this.#documentsOf[key] ?? 0;
      if (below > 0 && own > 0 && below + own > documents / 2) return { key, below };
      below += own;
    }
    return null;
  }

  /** One balancer round: moves chunks from full shards to empty ones. Each shard takes part once. */
  #balance(): void {
    const { shards, chunkDocuments } = this.#options;
    const free = Array.from({ length: shards }, (_, shard) => shard).sort(
      (left, right) => this.#documentsIn(left) - this.#documentsIn(right) || left - right,
    );
    while (free.length > 1) {
      const [emptiest = 0, fullest = 0] = [free[0], free.at(-1)];
      if (this.#documentsIn(fullest) - this.#documentsIn(emptiest) < IMBALANCE_CHUNKS * chunkDocuments) return;
      free.pop();
      const chunk = this.chunks.find((candidate) => candidate.shard === fullest && !this.#isTooLarge(candidate));
      if (!chunk) continue; // it has no chunk that can be moved
      free.shift();
      this.#move(chunk, emptiest);
    }
  }

  #move(chunk: Chunk, to: number): void {
    this.documents[chunk.shard] = this.#documentsIn(chunk.shard) - chunk.documents;
    this.documents[to] = this.#documentsIn(to) + chunk.documents;
    chunk.shard = to;
    this.moves += 1;
  }

  #documentsIn = (shard: number): number => this.documents[shard] ?? 0;

  /** The position of the chunk that holds this key. */
  #placeOf(key: number): number {
    let [low, high] = [0, this.chunks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.chunks[middle]?.from ?? 0) <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
