/**
 * The simulation runs in this thread, so that the process stays responsive. The thread receives the sample batch by batch, as sent by the
 * database (concatenated BSON documents), then a `SampleEnd`, and responds once.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { BSON } from 'mongodb';
import { SampleBuilder } from './shard-sample.js';
import { type SimulatedKey, type SimulatedOutcome, type SimulatedQuery, simulate } from './shard-simulation.js';

export interface ShardWorkerData {
  /** Names of the number columns. */
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  readonly keys: readonly SimulatedKey[];
  readonly queries: readonly SimulatedQuery[];
  readonly documentsMax: number;
  readonly shards: number;
}

/** Sent after the last batch. */
export interface SampleEnd {
  /** The number of documents that fill a chunk of the default size. */
  readonly documentsInFullChunk: number;
}

export interface SimulationAnswer {
  readonly documents: number;
  readonly chunkDocuments: number;
  /** One per key, in order; empty when there were no documents. */
  readonly outcomes: readonly SimulatedOutcome[];
}

const CHUNKS_PER_SHARD = 32;
const CHUNK_DOCUMENTS_MIN = 8;

const { numbers, texts, keys, queries, documentsMax, shards } = workerData as ShardWorkerData;
const builder = new SampleBuilder(numbers, texts, documentsMax);

parentPort?.on('message', (message: Uint8Array | SampleEnd) => {
  if (message instanceof Uint8Array) return addDocuments(message);
  const sample = builder.build();
  const { documents } = sample;
  const chunkDocuments = Math.min(
    message.documentsInFullChunk,
    Math.max(CHUNK_DOCUMENTS_MIN, Math.ceil(documents / (shards * CHUNKS_PER_SHARD))),
  );
  const outcomes = documents === 0 ? [] : keys.map((key) => simulate(sample, key, queries, { shards, chunkDocuments }));
  parentPort?.postMessage({ documents, chunkDocuments, outcomes } satisfies SimulationAnswer);
  parentPort?.close();
});

function addDocuments(bytes: Uint8Array): void {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset);
  for (let begin = 0; begin < bytes.length; ) {
    const end = begin + lengths.getInt32(begin, true); // the length at the start of a document
    builder.add(BSON.deserialize(bytes.subarray(begin, end)));
    begin = end;
  }
}
