/**
 * The thread that simulates, so that the process goes on answering. It takes the sample as the database sends it (BSON, one document
 * behind the other) batch by batch, then its end, and answers once.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { BSON } from 'mongodb';
import { SampleBuilder } from './shard-sample.js';
import { type SimulatedKey, type SimulatedOutcome, type SimulatedQuery, simulate } from './shard-simulation.js';

export interface ShardWorkerData {
  /** Names of columns. */
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  readonly keys: readonly SimulatedKey[];
  readonly queries: readonly SimulatedQuery[];
  readonly documentsMax: number;
  readonly shards: number;
}

/** After the last batch. */
export interface SampleEnd {
  /** How many documents fill a chunk of the usual size. */
  readonly documentsInFullChunk: number;
}

export interface SimulationAnswer {
  readonly documents: number;
  readonly chunkDocuments: number;
  /** One for each key, in their order; none when there was no document. */
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
    const end = begin + lengths.getInt32(begin, true); // what a document begins with
    builder.add(BSON.deserialize(bytes.subarray(begin, end)));
    begin = end;
  }
}
