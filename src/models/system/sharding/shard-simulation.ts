/** Simulates shard keys on a sample of documents: inserts them into a `ShardCluster` in order of arrival. Pure. */
import { ShardCluster } from './shard-cluster.js';
import { type Column, KeySpace, type RankRange } from './shard-key-space.js';

export interface SimulatedKey {
  /** Names of the sample's columns, in the key's order. */
  readonly fields: readonly string[];
  /** Whether it is a single hashed field, whose chunks are pre-split. */
  readonly isHashed?: boolean;
}

/** A query, made for one document. The shard key fields it specifies decide which shards are contacted. */
export interface SimulatedQuery {
  readonly name: string;
  /** The columns whose values it specifies, taken from the document. */
  readonly equal: readonly string[];
  /** Adds a range on the column `time`: the interval of this many milliseconds that contains the document. */
  readonly spanMs?: number;
}

/** Documents in order of arrival. */
export interface Sample {
  readonly documents: number;
  readonly columns: ReadonlyMap<string, Column>;
  /** Milliseconds since 1970. Null when the documents have no time. */
  readonly times: Float64Array | null;
  /** The number of writes per document. Null if each is only inserted. */
  readonly writes: Float64Array | null;
}

interface SimulationOptions {
  readonly shards: number;
  /** The maximum size of a chunk, in documents. */
  readonly chunkDocuments: number;
}

/** One of several equal parts of the documents. */
export interface Phase {
  /** Earliest and latest time in milliseconds since 1970; null when the documents have no time. */
  readonly from: number | null;
  readonly to: number | null;
  /** The share of each shard, 0 to 1. */
  readonly shares: readonly number[];
}

/** The distribution of writes over a number of shards. Shares are from 0 to 1. */
interface Spread {
  readonly shards: number;
  /** The share of all writes received by the hottest shard. */
  readonly hottestShardShare: number;
  /** The same for the worst phase in the second half: the first half is for the balancer to distribute an empty collection. */
  readonly worstPhaseShare: number;
}

export interface SimulatedOutcome extends Spread {
  /** Each shard's share of all writes. */
  readonly inserts: readonly number[];
  readonly phases: readonly Phase[];
  readonly queries: readonly { readonly name: string; readonly shardsAsked: number }[];
  readonly chunks: number;
  readonly jumboChunks: number;
  readonly chunkMoves: number;
  /** The same documents on other numbers of shards. */
  readonly spread: readonly Spread[];
}

const PHASES = 12;
const SPREAD_SHARDS = [2, 4, 8, 16, 32];
const QUERIES_EACH = 500; // gives the mean to within a few per cent
const HASHED_CHUNKS_PER_SHARD = 2; // pre-split by MongoDB
const HASH_MIN = -(2 ** 63);
const HASHES = 2 ** 64;

/** @param sample at least one document */
export function simulate(
  sample: Sample,
  key: SimulatedKey,
  queries: readonly SimulatedQuery[],
  options: SimulationOptions,
): SimulatedOutcome {
  const space = new KeySpace(key.fields.map((name) => requireColumn(sample, name)));
  const { cluster, rows } = fill(sample, space, key, options);
  return {
    ...describeSpread(rows),
    inserts: toShares(sumRows(rows)),
    phases: rows.map((row, phase) => ({ ...timesOf(sample, phase, rows.length), shares: toShares(row) })),
    queries: queries.map((query) => ({
      name: query.name,
      shardsAsked: countShardsAsked(sample, { space, key, cluster }, query),
    })),
    chunks: cluster.chunks.length,
    jumboChunks: cluster.jumboChunks,
    chunkMoves: cluster.moves,
    spread: SPREAD_SHARDS.map((shards) => describeSpread(fill(sample, space, key, { ...options, shards }).rows)),
  };
}

function requireColumn({ columns }: Sample, name: string): Column {
  const column = columns.get(name);
  if (!column) throw new RangeError(`The sample has no column ${name}`);
  return column;
}

/** @returns the cluster with all documents, and the writes per phase and shard */
function fill({ documents, writes }: Sample, space: KeySpace, key: SimulatedKey, options: SimulationOptions) {
  const { shards, chunkDocuments } = options;
  const splitPoints = key.isHashed ? hashSplitPoints(space, shards) : [];
  const cluster = new ShardCluster({ shards, chunkDocuments, keys: space.size, splitPoints });
  const rows = Array.from({ length: Math.min(PHASES, documents) }, () => new Float64Array(shards));
  for (const [document, rank] of space.ranks.entries()) {
    const shard = cluster.insert(rank);
    const row = rows[Math.floor((document * rows.length) / documents)];
    if (row) row[shard] = (row[shard] ?? 0) + (writes?.[document] ?? 1);
  }
  cluster.settle();
  return { cluster, rows };
}

/** The hash range is divided evenly, regardless of the documents. */
function hashSplitPoints({ fields }: KeySpace, shards: number): number[] {
  const chunks = shards * HASHED_CHUNKS_PER_SHARD;
  const hashes = Array.from({ length: chunks - 1 }, (_, index) => HASH_MIN + ((index + 1) * HASHES) / chunks);
  return hashes.map((hash) => fields[0]?.rankFrom(hash) ?? 0);
}

function describeSpread(rows: readonly Float64Array[]): Spread {
  const later = rows.slice(Math.floor(rows.length / 2));
  return {
    shards: rows[0]?.length ?? 0,
    hottestShardShare: Math.max(...toShares(sumRows(rows))),
    worstPhaseShare: Math.max(...later.flatMap(toShares)),
  };
}

const sumRows = (rows: readonly Float64Array[]): Float64Array =>
  rows.reduce((total, row) => total.map((writes, shard) => writes + (row[shard] ?? 0)));

/** All 0 if nothing was written. */
function toShares(row: Float64Array): number[] {
  const total = row.reduce((sum, writes) => sum + writes, 0);
  return Array.from(row, (writes) => (total === 0 ? 0 : writes / total));
}

function timesOf({ documents, times }: Sample, phase: number, phases: number): Pick<Phase, 'from' | 'to'> {
  if (!times) return { from: null, to: null };
  const part = times.subarray(Math.ceil((phase * documents) / phases), Math.ceil(((phase + 1) * documents) / phases));
  return {
    from: part.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY),
    to: part.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY),
  };
}

interface FilledCluster {
  readonly space: KeySpace;
  readonly key: SimulatedKey;
  readonly cluster: ShardCluster;
}

/** The mean over queries for evenly spaced documents of the sample. */
function countShardsAsked(sample: Sample, filled: FilledCluster, query: SimulatedQuery): number {
  const queries = Math.min(QUERIES_EACH, sample.documents);
  let asked = 0;
  for (let index = 0; index < queries; index += 1) {
    const document = Math.floor((index * sample.documents) / queries);
    asked += filled.cluster.shardsOf(keysAskedFor(sample, filled, query, document)).size;
  }
  return asked / queries;
}

/** Targets like mongos: by the leading key fields with given values, and a range on the next one. All keys if there are none. */
function keysAskedFor(
  { times }: Sample,
  { space, key }: FilledCluster,
  { equal, spanMs }: SimulatedQuery,
  document: number,
): RankRange {
  const given = key.fields.findIndex((name) => !equal.includes(name));
  const leading = given === -1 ? key.fields.length : given;
  const ranks = space.fields.slice(0, leading).map((column) => column.ranks[document] ?? 0);
  if (spanMs === undefined || key.fields[leading] !== 'time') return space.find(ranks);
  const begin = Math.floor((times?.[document] ?? 0) / spanMs) * spanMs;
  const { rankFrom } = space.fields[leading] ?? { rankFrom: () => 0 };
  return space.find(ranks, { from: rankFrom(begin), to: rankFrom(begin + spanMs) });
}
