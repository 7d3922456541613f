/**
 * Advice on shard keys, based on your own documents: reads a sample in order of arrival, and simulates a sharded cluster for each key
 * (`shard-cluster.ts` explains how). Source pattern: storing log data, "Test with your own data".
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Db, MongoClient } from 'mongodb';
import { inBatches } from '../../../shared/batches.js';
import { builtProgram } from '../../../shared/built-program.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { findStorage } from '../storage.js';
import { weigh } from './shard-recommendation.js';
import type { SimulatedOutcome } from './shard-simulation.js';
import { type SamplePart, type ShardSubject, type ShardSubjectName, shardSubjects } from './shard-subject.js';
import type { SampleEnd, ShardWorkerData, SimulationAnswer } from './shard-worker.js';

export interface KeyAdvice extends SimulatedOutcome {
  readonly key: string;
  readonly isRecommended: boolean;
  readonly note: string;
  /** The number of documents simulated. */
  readonly documents: number;
  /** The maximum size of a chunk in the simulation, in documents. */
  readonly chunkDocuments: number;
}

interface ShardAdviceInput {
  readonly subject: ShardSubjectName;
  /** The maximum number of documents. The most recent ones are used. */
  readonly sample: number;
  readonly shards: number;
}

const SAMPLE_MAX = 2_000_000;
const SHARDS_MAX = 100;
const CHUNK_BYTES = 128 * 1024 * 1024; // MongoDB's default since 6.0
const BATCH = 2000; // documents; handling this many takes a few milliseconds
const TEXT_LENGTH = 128; // characters; the sample holds every distinct text
const WORKER_MEGABYTES_MAX = 1024;

/** By client: the running simulations by their arguments, and the end of the queue. */
interface Running {
  readonly byArguments: Map<string, Promise<KeyAdvice[]>>;
  last: Promise<unknown>;
}
const running = new WeakMap<MongoClient, Running>();

/**
 * One recommendation per key of the subject; none when the collection is empty. The simulation runs in its own thread, one at a time.
 * Concurrent calls with the same arguments share one result.
 * @param domains the names of the enabled domains
 * @throws InputError the subject's domain is not enabled, `sample` is not from 1 to 2,000,000, or `shards` not from 2 to 100
 * @throws LimitError the sample does not fit into WORKER_MEGABYTES_MAX
 */
export function findShardAdvice(db: Db, input: ShardAdviceInput, domains: readonly string[]): Promise<KeyAdvice[]> {
  const { domain } = shardSubjects[input.subject];
  if (!domains.includes(domain))
    throw new InputError('subject', `belongs to ${domain}, which this server does not run`);
  requireBetween('sample', input.sample, 1, SAMPLE_MAX);
  requireBetween('shards', input.shards, 2, SHARDS_MAX);
  const ofClient = running.get(db.client) ?? { byArguments: new Map(), last: Promise.resolve() };
  running.set(db.client, ofClient);
  const key = JSON.stringify([db.databaseName, input.subject, input.sample, input.shards]);
  let advice = ofClient.byArguments.get(key);
  if (!advice) {
    advice = ofClient.last.then(() => advise(db, input)).finally(() => ofClient.byArguments.delete(key));
    ofClient.byArguments.set(key, advice);
    ofClient.last = advice.catch(() => undefined); // its failure is reported to its callers
  }
  return advice;
}

function requireBetween(field: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) throw new InputError(field, `must be from ${min} to ${max}`);
}

async function advise(db: Db, { subject: name, sample, shards }: ShardAdviceInput): Promise<KeyAdvice[]> {
  const subject = shardSubjects[name];
  const { documents, chunkDocuments, outcomes } = await simulateSample(db, subject, sample, shards);
  const weighed = weigh(subject.keys, outcomes);
  return outcomes.map((outcome, index) => ({
    ...outcome,
    key: subject.keys[index]?.key ?? '',
    isRecommended: weighed[index]?.isRecommended ?? false,
    note: weighed[index]?.note ?? '',
    documents,
    chunkDocuments,
  }));
}

async function simulateSample(
  db: Db,
  subject: ShardSubject,
  documentsMax: number,
  shards: number,
): Promise<SimulationAnswer> {
  const workerData: ShardWorkerData = {
    numbers: Object.keys(subject.numbers),
    texts: Object.keys(subject.texts),
    keys: subject.keys.map(({ fields, isHashed = false }) => ({ fields, isHashed })),
    queries: subject.queries,
    documentsMax,
    shards,
  };
  const worker = new Worker(builtProgram('models/system/sharding/shard-worker'), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
  });
  const answer = once(worker, 'message');
  answer.catch(() => undefined); // the thread may fail while the sample is still being read
  try {
    const parts = await subject.parts(db);
    for await (const batch of readLatestFirst(parts, subject, documentsMax)) worker.postMessage(batch, [batch.buffer]);
    const end: SampleEnd = { documentsInFullChunk: await countDocumentsInChunk(db, parts) };
    worker.postMessage(end);
    const [message] = (await answer) as [SimulationAnswer];
    return message;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new LimitError('The sample contains too many distinct texts. Ask for a smaller sample', WORKER_MEGABYTES_MAX);
  } finally {
    await worker.terminate();
  }
}

/**
 * The most recently inserted documents, newest first: in the storage engine's own order, which is the order of arrival in this database.
 * So an imported log arrives in the order of its file. They are not decoded here, which would take most of the time.
 */
async function* readLatestFirst(
  parts: readonly SamplePart[],
  subject: ShardSubject,
  documentsMax: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const texts = Object.entries(subject.texts).map(([name, text]) => [
    name,
    { $substrCP: [{ $ifNull: [text, ''] }, 0, TEXT_LENGTH] },
  ]);
  const projection = { _id: 0, ...subject.numbers, ...Object.fromEntries(texts) };
  let left = documentsMax;
  for (const { collection, order } of parts) {
    if (left === 0) return;
    const pipeline = [{ $limit: left }, { $project: projection }];
    const options = { batchSize: BATCH, raw: true };
    const cursor =
      order === 'ARRIVAL'
        ? collection.aggregate(pipeline, { ...options, hint: { $natural: -1 } })
        : collection.aggregate([{ $sort: { time: -1 } }, ...pipeline], options); // bucket by bucket, not sorted in memory
    for await (const documents of inBatches(cursor as unknown as AsyncIterable<Buffer>, BATCH)) {
      left -= documents.length;
      yield join(documents);
    }
  }
}

/** Copies the parts into a separate buffer that can be transferred to the thread. */
function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}

/** The number of documents of average size that fill a chunk. */
async function countDocumentsInChunk(db: Db, parts: readonly SamplePart[]): Promise<number> {
  for (const { collection } of parts) {
    const storage = await findStorage(db.client.db(collection.dbName), collection.collectionName);
    if (!storage || storage.documents === 0) continue;
    return Math.max(1, Math.floor((CHUNK_BYTES * storage.documents) / Math.max(1, storage.dataBytes)));
  }
  return CHUNK_BYTES;
}
