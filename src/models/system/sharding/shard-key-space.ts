/**
 * Shard keys as integers. A sharded collection only compares keys, so the simulation needs only their order: the keys of a sample are
 * sorted once, and from then on a key is its rank, and a chunk is a range of ranks. Pure.
 */

/** One field of the sample: for each document, in order of arrival, the rank of its value among the distinct values. */
export interface Column {
  readonly ranks: Uint32Array;
  /** The number of distinct values. */
  readonly distinct: number;
  /** The first rank whose value is not below this one. Texts are compared only within the sample. */
  readonly rankFrom: (value: number) => number;
}

/** @param values one per document */
export function numberColumn(values: Float64Array): Column {
  const sorted = distinctSorted(values);
  return {
    ranks: Uint32Array.from(values, (value) => lowerBound(sorted, value)),
    distinct: sorted.length,
    rankFrom: (value) => lowerBound(sorted, value),
  };
}

/** @param texts the distinct values, in any order @param places for each document, the index of its text among them */
export function textColumn(texts: readonly string[], places: Uint32Array): Column {
  const inOrder = texts.map((_, place) => place).sort((left, right) => compareTexts(texts[left], texts[right]));
  const rankOfPlace = new Uint32Array(texts.length);
  for (const [rank, place] of inOrder.entries()) rankOfPlace[place] = rank;
  return {
    ranks: places.map((place) => rankOfPlace[place] ?? 0),
    distinct: texts.length,
    rankFrom: (value) => value,
  };
}

const compareTexts = (left = '', right = ''): number => (left < right ? -1 : left > right ? 1 : 0);

/** A half-open range. */
export interface RankRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The keys of a sample, made of one or more fields in this order. Keys are numbered in order, from 0. Two documents have the same number
 * if all fields are equal.
 */
export class KeySpace {
  /** For each document, in order of arrival, the rank of its key. */
  readonly ranks: Uint32Array;
  /** The distinct keys of the first field, of the first two, and so on, as sorted numbers: see `codeOf`. */
  readonly #levels: readonly Float64Array[];

  constructor(readonly fields: readonly Column[]) {
    const [first, ...others] = fields;
    if (!first) throw new RangeError('A key needs at least one field');
    const levels: Float64Array[] = [Float64Array.from({ length: first.distinct }, (_, rank) => rank)];
    let ranks = first.ranks;
    for (const { ranks: own, distinct } of others) {
      // Two ranks of at most 2^21 distinct values each: their code is exact in a double.
      const codes = Float64Array.from(ranks, (rank, document) => codeOf(rank, own[document] ?? 0, distinct));
      const sorted = distinctSorted(codes);
      levels.push(sorted);
      ranks = Uint32Array.from(codes, (code) => lowerBound(sorted, code));
    }
    this.ranks = ranks;
    this.#levels = levels;
  }

  /** The number of distinct keys. */
  get size(): number {
    return this.#levels.at(-1)?.length ?? 0;
  }

  /**
   * The keys whose first fields have these ranks, and whose next field is in the range.
   * @param equal at most as many as the key has fields
   */
  find(equal: readonly number[], within?: RankRange): RankRange {
    let range: RankRange = { from: 0, to: 1 };
    for (const [level, { distinct }] of this.fields.entries()) {
      const rank = equal[level];
      const next = level === equal.length ? within : undefined;
      const low = codeOf(range.from, rank ?? next?.from ?? 0, distinct);
      // At deeper levels, all keys with this prefix.
      const high =
        rank === undefined && !next ? codeOf(range.to, 0, distinct) : codeOf(range.to - 1, endOf(rank, next), distinct);
      const sorted = this.#levels[level] ?? new Float64Array();
      range = { from: lowerBound(sorted, low), to: lowerBound(sorted, high) };
    }
    return range;
  }
}

const codeOf = (above: number, rank: number, distinct: number): number => above * distinct + rank;
const endOf = (rank: number | undefined, within: RankRange | undefined): number =>
  rank === undefined ? (within?.to ?? 0) : rank + 1;

/** The distinct values, ascending. */
function distinctSorted(values: Float64Array): Float64Array {
  const sorted = values.toSorted();
  let length = 0;
  for (const value of sorted) {
    if (length === 0 || value !== sorted[length - 1]) {
      sorted[length] = value;
      length += 1;
    }
  }
  return sorted.slice(0, length);
}

/** The first index whose value is not below this one, or the length if there is none. */
function lowerBound(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
