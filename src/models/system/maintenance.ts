/**
 * Checks of the invariants, and recoveries, that a person has asked for: what the last of each kind does, or has found. The work has a
 * thread of its own (`src/jobs/maintenance-thread.ts`), in any process; its progress is this document, so every process shows it.
 * All times are the database's.
 */
import { type Db, type Document, MongoServerError } from 'mongodb';
import { changedDocument } from '../../database/changed-document.js';
import { defineCollection, defineFeed, documentBytes, type StateFeed } from '../../database/index.js';
import { SECOND_MS } from '../../shared/time.js';
import type { CheckProgress, Violation } from '../invariants.js';

export type MaintenanceKind = 'CHECK' | 'RECOVERY';

export interface MaintenanceDocument {
  /** There is one of each kind: the last. */
  _id: MaintenanceKind;
  /** Names the run, so that one that was given up changes nothing of the next. */
  run: string;
  state: 'IDLE' | 'RUNNING' | 'FINISHED' | 'FAILED';
  started_at: Date | null;
  finished_at: Date | null;
  /** When the run last told how far it is. */
  seen_at: Date | null;
  /** What is being done. */
  step: string;
  /** Of what is counted in documents or in steps. */
  done: number;
  total: number;
  /** Of a check: what it found. */
  violations: Violation[];
  /** Of a recovery: what its workers did. */
  worked: WorkerOutcome[];
  /** Why it failed. */
  failure: string | null;
}

export interface WorkerOutcome {
  readonly worker: string;
  /** How much it found to do. Null: another process was at it, or it failed. */
  readonly found: number | null;
  /** Why it failed. */
  readonly failure: string | null;
}

export type MaintenanceOutcome = Pick<MaintenanceDocument, 'violations'> | Pick<MaintenanceDocument, 'worked'>;

/** What runs it: `src/jobs/maintenance-runner.ts`. */
export interface MaintenanceService {
  /**
   * Begins a run.
   * @param begun called when there is none under way, before anything is done
   * @returns it, or the one that is under way, here or in another process
   */
  start(db: Db, kind: MaintenanceKind, begun?: () => Promise<void>): Promise<MaintenanceDocument>;
  /** Checks the invariants, and waits. */
  check(): Promise<readonly Violation[]>;
}

/** At most as many are found: a database that is more broken than that is not understood better by all of them. */
export const VIOLATIONS_MAX = 1000;
/** A run that has told nothing for so long has ended with its process. It tells twice a second. */
const SILENT_MS = 30 * SECOND_MS;
const FAILURE_LENGTH_MAX = 1000;

const maintenance = defineCollection<MaintenanceDocument>('maintenance');

const idle = (kind: MaintenanceKind): MaintenanceDocument => ({
  _id: kind,
  run: '',
  state: 'IDLE',
  started_at: null,
  finished_at: null,
  seen_at: null,
  step: '',
  done: 0,
  total: 0,
  violations: [],
  worked: [],
  failure: null,
});

/** The last of its kind, or the one under way. */
export async function findMaintenance(db: Db, kind: MaintenanceKind): Promise<MaintenanceDocument> {
  return (await maintenance(db).findOne({ _id: kind })) ?? idle(kind);
}

/** The last of its kind, followed live. */
export const maintenanceFeed = defineFeed<
  StateFeed<
    { readonly kind: MaintenanceKind },
    { document: MaintenanceDocument },
    MaintenanceDocument,
    MaintenanceDocument
  >
>({
  kind: 'state',
  name: 'maintenance',
  collections: [maintenance],
  key: ({ kind }) => kind,
  topic: ({ kind }) => `maintenance:${kind}`,
  topics: ({ documentKey }) => [`maintenance:${documentKey._id}`],
  snapshot: async (db, { kind }, session) => ({
    document: (await maintenance(db).findOne({ _id: kind }, { session })) ?? idle(kind),
  }),
  touched: () => ['document'],
  apply: (state, event) => {
    state.document = changedDocument(state.document, event);
    return ['document'];
  },
  view: ({ document }) => document,
  change: ({ document }) => document,
  bytes: ({ document }) => documentBytes(document),
});

/**
 * Begins a run, unless one is under way.
 * @returns null when one is
 */
export async function beginMaintenance(
  db: Db,
  kind: MaintenanceKind,
  run: string,
): Promise<MaintenanceDocument | null> {
  const { _id, ...rest } = idle(kind);
  const begin = [{ $set: { ...rest, run, state: 'RUNNING', started_at: '$$NOW', seen_at: '$$NOW' } }];
  const ended = { _id: kind, $expr: { $not: isUnderWay } }; // guard: of two that begin at once, one matches no more
  return (
    (await maintenance(db).findOneAndUpdate(ended, begin, { returnDocument: 'after' })) ??
    (await beginFirst(db, kind, begin))
  );
}

/** Guard: nothing that is stored is IDLE, so this only ever inserts; when one is there, `_id` is taken. */
async function beginFirst(db: Db, kind: MaintenanceKind, begin: Document[]): Promise<MaintenanceDocument | null> {
  const options = { upsert: true, returnDocument: 'after' } as const;
  try {
    return await maintenance(db).findOneAndUpdate({ _id: kind, state: 'IDLE' }, begin, options);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null;
    throw error;
  }
}

const DUPLICATE_KEY = 11000;
/** One that was seen ahead of now, by a server's clock that was set back since, will be seen again in a moment if it lives. */
const isUnderWay: Document = {
  $and: [
    { $eq: ['$state', 'RUNNING'] },
    { $gt: ['$seen_at', { $subtract: ['$$NOW', SILENT_MS] }] },
    { $lt: ['$seen_at', { $add: ['$$NOW', SILENT_MS] }] },
  ],
};

/** Tells how far a run is. @returns false when it was given up meanwhile: stop */
export async function noteProgress(
  db: Db,
  kind: MaintenanceKind,
  run: string,
  { step, done, total }: CheckProgress,
): Promise<boolean> {
  const progress = { step: { $literal: step }, done, total, seen_at: '$$NOW' };
  const { matchedCount } = await maintenance(db).updateOne(running(kind, run), [{ $set: progress }]);
  return matchedCount === 1;
}

/** Ends a run with what it found. */
export async function finishMaintenance(
  db: Db,
  kind: MaintenanceKind,
  run: string,
  outcome: MaintenanceOutcome,
): Promise<void> {
  const found = Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, { $literal: value }]));
  const end = { ...found, state: 'FINISHED', finished_at: '$$NOW', seen_at: '$$NOW', step: '', done: '$total' };
  await maintenance(db).updateOne(running(kind, run), [{ $set: end }]);
}

/** Ends a run that cannot go on. */
export async function failMaintenance(db: Db, kind: MaintenanceKind, run: string, reason: string): Promise<void> {
  const failure = { $literal: reason.slice(0, FAILURE_LENGTH_MAX) };
  await maintenance(db).updateOne(running(kind, run), [{ $set: { state: 'FAILED', finished_at: '$$NOW', failure } }]);
}

/** Ends the runs whose process is gone. */
export async function failAbandonedMaintenance(db: Db): Promise<void> {
  for (const kind of ['CHECK', 'RECOVERY'] as const)
    await maintenance(db).updateOne({ _id: kind, state: 'RUNNING', $expr: { $not: isUnderWay } }, [
      { $set: { state: 'FAILED', finished_at: '$seen_at', failure: 'The server that did it has ended' } },
    ]);
}

/** Guard: a run that was given up for lost and comes back finds the next one's name. */
const running = (kind: MaintenanceKind, run: string) => ({ _id: kind, run, state: 'RUNNING' }) as const;
