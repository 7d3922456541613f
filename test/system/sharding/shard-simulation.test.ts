import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShardCluster } from '../../../src/models/system/sharding/shard-cluster.js';
import { KeySpace, numberColumn, textColumn } from '../../../src/models/system/sharding/shard-key-space.js';
import { SampleBuilder } from '../../../src/models/system/sharding/shard-sample.js';
import { type Sample, simulate } from '../../../src/models/system/sharding/shard-simulation.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const options = { shards: 4, chunkDocuments: 50 };

/** Evenly distributed without a pattern: the fractional parts of multiples of the golden ratio. */
const scattered = (index: number) => (index * 0.6180339887498949) % 1;
/** Hashes like the server's: from -2^63 to 2^63. */
const hashOf = (index: number) => (scattered(index) * 2 - 1) * 2 ** 63;

/** Events, one every minute. @param pathOf of each event, in order of arrival */
function sampleOf(documents: number, pathOf: (index: number) => string): Sample {
  const builder = new SampleBuilder(['time', 'hash'], ['path'], documents);
  for (let index = documents - 1; index >= 0; index -= 1) {
    builder.add({ time: index * 60_000, hash: hashOf(index), path: pathOf(index) });
  }
  return builder.build();
}

const manyPaths = (index: number) => `/${Math.floor(scattered(index) * 1000)}`;
const total = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0);

describe('a monotonically increasing key', () => {
  const outcome = simulate(sampleOf(8000, manyPaths), { fields: ['time'] }, [], options);

  it('sends all inserts to one shard, regardless of the balancer', () => {
    expect(outcome.inserts).toEqual([1, 0, 0, 0]);
    expect(outcome.worstPhaseShare).toBe(1);
    expect(outcome.chunkMoves).toBeGreaterThan(50);
  });

  it('does not scale inserts with more shards', () => {
    expect(outcome.spread.map(({ hottestShardShare }) => hottestShardShare)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('a hashed key', () => {
  const sample = sampleOf(8000, manyPaths);
  const queries = [
    { name: 'by id', equal: ['hash'] },
    { name: 'by path', equal: ['path'] },
  ];
  const outcome = simulate(sample, { fields: ['hash'], isHashed: true }, queries, options);

  it('distributes inserts evenly from the start', () => {
    expect(outcome.phases).toHaveLength(12);
    for (const { shares } of outcome.phases)
      for (const share of shares) expect(Math.abs(share - 0.25)).toBeLessThan(0.01);
    expect(outcome.chunkMoves).toBe(0);
  });

  it('routes queries with the key to one shard, and all others to every shard', () => {
    expect(outcome.queries).toEqual([
      { name: 'by id', shardsAsked: 1 },
      { name: 'by path', shardsAsked: 4 },
    ]);
  });

  it('scales inserts with each shard', () => {
    for (const { shards, hottestShardShare } of outcome.spread) expect(hottestShardShare * shards).toBeLessThan(1.1);
  });
});

describe('a log in which nine of ten events are for one path', () => {
  const onePath = (index: number) => (index % 10 === 0 ? manyPaths(index) : '/popular');
  const sample = sampleOf(8000, onePath);
  const query = { name: 'by path', equal: ['path'] };

  it('has, by path, one chunk that cannot be split, on a shard that receives nine tenths of the inserts', () => {
    const { jumboChunks, hottestShardShare, queries } = simulate(sample, { fields: ['path'] }, [query], options);
    expect(jumboChunks).toBe(1);
    expect(hottestShardShare).toBeGreaterThan(0.9);
    expect(queries[0]?.shardsAsked).toBe(1);
  });

  it('is distributed by path and hash, with the events of that path on all shards', () => {
    const { jumboChunks, worstPhaseShare, queries } = simulate(sample, { fields: ['path', 'hash'] }, [query], options);
    expect(jumboChunks).toBe(0);
    expect(worstPhaseShare).toBeLessThan(0.35);
    expect(queries[0]?.shardsAsked).toBeCloseTo(0.9 * 4 + 0.1, 0);
  });
});

describe('a query for a time range', () => {
  const sample = sampleOf(8000, manyPaths); // five and a half days
  const asked = (fields: string[], equal: string[], spanMs: number) =>
    simulate(sample, { fields }, [{ name: 'stretch', equal, spanMs }], options).queries[0]?.shardsAsked;

  it('contacts, by time, only the shards that hold the range, more of them for a longer range', () => {
    expect(asked(['time'], [], HOUR_MS)).toBeLessThan(2);
    expect(asked(['time'], [], 30 * DAY_MS)).toBe(4);
  });

  it('contacts all shards if the key does not start with its fields', () => {
    expect(asked(['path'], [], HOUR_MS)).toBe(4);
    expect(asked(['path', 'time'], ['path'], HOUR_MS)).toBe(1);
  });
});

describe('documents that are written more than once', () => {
  it('count once per write', () => {
    const builder = new SampleBuilder(['writes'], ['page'], 3);
    for (const page of ['c', 'b', 'a']) builder.add({ page, writes: page === 'a' ? 8 : 1 });
    const { phases } = simulate(builder.build(), { fields: ['page'] }, [], options);
    expect(phases.map(({ shares }) => shares)).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect(phases.map(({ from }) => from)).toEqual([null, null, null]);
  });
});

describe('any documents on any cluster', () => {
  const keys = fc.array(fc.oneof({ weight: 1, arbitrary: fc.nat(200) }, { weight: 1, arbitrary: fc.nat(3) }), {
    minLength: 1,
    maxLength: 600,
  });
  const cluster = fc.record({
    shards: fc.integer({ min: 2, max: 8 }),
    chunkDocuments: fc.integer({ min: 2, max: 40 }),
  });

  it('are in one chunk each; chunks cover every key once, and are too large only with a single key', () => {
    fc.assert(
      fc.property(keys, cluster, fc.boolean(), (values, { shards, chunkDocuments }, beforehand) => {
        const space = new KeySpace([numberColumn(Float64Array.from(values))]);
        const splitPoints = beforehand ? [0, Math.floor(space.size / 2), space.size] : [];
        const filled = new ShardCluster({ shards, chunkDocuments, keys: space.size, splitPoints });
        for (const key of space.ranks) filled.insert(key);
        filled.settle();
        let end = 0;
        const stored = new Array<number>(shards).fill(0);
        for (const { from, to, shard, documents } of filled.chunks) {
          expect(from).toBe(end);
          end = to;
          const own = space.ranks.filter((key) => key >= from && key < to);
          expect(documents).toBe(own.length);
          if (documents > chunkDocuments) expect(new Set(own).size).toBe(1);
          stored[shard] = (stored[shard] ?? 0) + documents;
          if (to > from) expect(filled.shardsOf({ from, to })).toEqual(new Set([shard]));
        }
        expect(end).toBe(space.size);
        expect([...filled.documents]).toEqual(stored);
      }),
    );
  });

  it('have shares that add up to 1, per phase and in total', () => {
    fc.assert(
      fc.property(keys, cluster, (values, { shards, chunkDocuments }) => {
        const sample = sampleOf(values.length, (index) => `/${values[index]}`);
        const { inserts, phases, hottestShardShare } = simulate(sample, { fields: ['path', 'hash'] }, [], {
          shards,
          chunkDocuments,
        });
        for (const shares of [inserts, ...phases.map((phase) => phase.shares)]) expect(total(shares)).toBeCloseTo(1, 9);
        expect(hottestShardShare).toBe(Math.max(...inserts));
      }),
    );
  });

  it('have ranks in the order of their keys, field by field', () => {
    const rows = fc.array(fc.record({ text: fc.string({ maxLength: 2 }), number: fc.integer() }), { minLength: 1 });
    fc.assert(
      fc.property(rows, (documents) => {
        const texts = [...new Set(documents.map(({ text }) => text))];
        const places = Uint32Array.from(documents, ({ text }) => texts.indexOf(text));
        const numbers = numberColumn(Float64Array.from(documents, ({ number }) => number));
        const { ranks } = new KeySpace([textColumn(texts, places), numbers]);
        for (const [left, one] of documents.entries()) {
          for (const [right, other] of documents.entries()) {
            const byText = one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
            const order = byText || Math.sign(one.number - other.number);
            expect(Math.sign((ranks[left] ?? 0) - (ranks[right] ?? 0))).toBe(order);
          }
        }
      }),
    );
  });
});
