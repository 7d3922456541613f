/** What shard keys would do to a sample of documents: runs them through a `ShardCluster` in their order of arrival. Pure. */
import { ShardCluster } from './shard-cluster.js';
import { type Column, KeySpace, type RankRange } from './shard-key-space.js';

export interface SimulatedKey {
  /** Names of the sample's columns, in the key's order. */
  readonly fields: readonly string[];
  /** Whether it is one hashed field, whose chunks are made beforehand. */
  readonly isHashed?: boolean;
}

/** A query of the product, made for one document: what it names of a shard key decides which shards are asked. */
export interface SimulatedQuery {
  readonly name: string;
  /** The columns whose values it gives: those of the document. */
  readonly equal: readonly string[];
  /** It asks for a stretch of the column `time` as well: the whole span of so many milliseconds that the document lies in. */
  readonly spanMs?: number;
}

/** Documents in their order of arrival. */
export interface Sample {
  readonly documents: number;
  readonly columns: ReadonlyMap<string, Column>;
  /** Milliseconds since 1970. Null when the documents tell no time. */
  readonly times: Float64Array | null;
  /** How often each is written. Null where it is inserted and that is all. */
  readonly writes: Float64Array | null;
}

interface SimulationOptions {
  readonly shards: number;
  /** The limit of a chunk's size, in documents. */
  readonly chunkDocuments: number;
}

/** An equal part of the documents. */
export interface Phase {
  /** Milliseconds since 1970, the earliest and the latest; null when the documents tell no time. */
  readonly from: number | null;
  readonly to: number | null;
  /** Of each shard, 0 to 1. */
  readonly shares: readonly number[];
}

/** How the writes are spread over a number of shards. Shares are from 0 to 1. */
interface Spread {
  readonly shards: number;
  /** Of all writes, the share of the shard that takes most. */
  readonly hottestShardShare: number;
  /** The same of the worst phase of the second half: the first half is for the balancer to spread an empty collection. */
  readonly worstPhaseShare: number;
}

export interface SimulatedOutcome extends Spread {
  /** Of each shard, its share of all writes. */
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
const QUERIES_EACH = 500; // the mean of so many is known to a few per cent
const HASHED_CHUNKS_PER_SHARD = 2; // that MongoDB makes beforehand
const HASH_MIN = -(2 ** 63);
const HASHES = 2 ** 64;

/** @param sample of one document or more */
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

/** @returns the cluster with all documents, and for each phase how often each shard was written */
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

/** Hashes are divided evenly, whatever documents there are. */
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

/** All 0 where nothing was written. */
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

/** The mean over queries for documents that stand evenly in the sample. */
function countShardsAsked(sample: Sample, filled: FilledCluster, query: SimulatedQuery): number {
  const queries = Math.min(QUERIES_EACH, sample.documents);
  let asked = 0;
  for (let index = 0; index < queries; index += 1) {
    const document = Math.floor((index * sample.documents) / queries);
    asked += filled.cluster.shardsOf(keysAskedFor(sample, filled, query, document)).size;
  }
  return asked / queries;
}

/** As mongos does it: by the leading fields of the key whose values are given, and a range of the one after them. All keys if by none. */
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
