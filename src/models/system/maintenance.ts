/**
 * Invariant checks and recoveries started by a user: the progress or result of the last one of each kind. The work runs in its own
 * thread (`src/process/maintenance-thread.ts`) in any process. Its progress is in this document, so every process shows it.
 * All times are the database's.
 */
import type { Db, Document } from 'mongodb';
import { changedDocument } from '../../database/feeds/changed-document.js';
import { defineCollection, defineFeed, documentBytes, isDuplicateKey, type StateFeed } from '../../database/index.js';
import { SECOND_MS } from '../../shared/time.js';
import type { Violation } from '../domain.js';
import type { CheckProgress } from '../violation.js';

export type MaintenanceKind = 'CHECK' | 'RECOVERY';

export interface MaintenanceDocument {
  /** One document per kind: the last run. */
  _id: MaintenanceKind;
  /** Identifies the run, so that an abandoned run cannot change the next one. */
  run: string;
  state: 'IDLE' | 'RUNNING' | 'FINISHED' | 'FAILED';
  started_at: Date | null;
  finished_at: Date | null;
  /** When the run last reported its progress. */
  seen_at: Date | null;
  /** The current step. */
  step: string;
  /** In documents for a check, in steps for a recovery. */
  done: number;
  total: number;
  /** For a check: the violations found. */
  violations: Violation[];
  /** For a recovery: the results of its workers. */
  worked: WorkerOutcome[];
  /** Why the run failed. Null unless the state is FAILED. */
  failure: string | null;
}

export interface WorkerOutcome {
  readonly worker: string;
  /** How many items it found to work on. Null when another process was running it, or when it failed. */
  readonly found: number | null;
  /** Why it failed. Null if it did not. */
  readonly failure: string | null;
}

export type MaintenanceOutcome = Pick<MaintenanceDocument, 'violations'> | Pick<MaintenanceDocument, 'worked'>;

/** Implemented by `src/jobs/maintenance-runner.ts`. */
export interface MaintenanceService {
  /**
   * Starts a run.
   * @param begun called if none is running, before any work is done
   * @returns the new run, or the one already running, here or in another process
   */
  start(db: Db, kind: MaintenanceKind, begun?: () => Promise<void>): Promise<MaintenanceDocument>;
  /** Checks the invariants and waits for the result. */
  check(): Promise<readonly Violation[]>;
}

/** The search stops here: a complete list of a badly broken database would not help to understand it. */
export const VIOLATIONS_MAX = 1000;
/** A run that has not reported for this long has died with its process. A live run reports twice a second. */
const SILENT_MS = 30 * SECOND_MS;
const FAILURE_LENGTH_MAX = 1000;

export const maintenance = defineCollection<MaintenanceDocument>('maintenance');

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

/** The current or most recent run of this kind. */
export async function findMaintenance(db: Db, kind: MaintenanceKind): Promise<MaintenanceDocument> {
  return (await maintenance(db).findOne({ _id: kind })) ?? idle(kind);
}

/** The current or most recent run of a kind, followed live. */
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
 * Starts a run, unless one is already running.
 * @returns null when one is already running
 */
export async function beginMaintenance(
  db: Db,
  kind: MaintenanceKind,
  run: string,
): Promise<MaintenanceDocument | null> {
  const { _id, ...rest } = idle(kind);
  const begin = [{ $set: { ...rest, run, state: 'RUNNING', started_at: '$$NOW', seen_at: '$$NOW' } }];
  const ended = { _id: kind, $expr: { $not: isUnderWay } }; // guard: of two concurrent starts, only one matches
  return (
    (await maintenance(db).findOneAndUpdate(ended, begin, { returnDocument: 'after' })) ??
    (await beginFirst(db, kind, begin))
  );
}

/** Guard: no stored document is IDLE, so this can only insert. If a document exists, its `_id` is taken. */
async function beginFirst(db: Db, kind: MaintenanceKind, begin: Document[]): Promise<MaintenanceDocument | null> {
  const options = { upsert: true, returnDocument: 'after' } as const;
  try {
    return await maintenance(db).findOneAndUpdate({ _id: kind, state: 'IDLE' }, begin, options);
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** If `seen_at` is in the future because the server's clock was set back, a live run will soon report again. */
const isUnderWay: Document = {
  $and: [
    { $eq: ['$state', 'RUNNING'] },
    { $gt: ['$seen_at', { $subtract: ['$$NOW', SILENT_MS] }] },
    { $lt: ['$seen_at', { $add: ['$$NOW', SILENT_MS] }] },
  ],
};

/** Reports the progress of a run. @returns false when the run has been abandoned meanwhile and must stop */
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

/** Ends a run with its result. */
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

/** Ends a run that cannot continue. */
export async function failMaintenance(db: Db, kind: MaintenanceKind, run: string, reason: string): Promise<void> {
  const failure = { $literal: reason.slice(0, FAILURE_LENGTH_MAX) };
  await maintenance(db).updateOne(running(kind, run), [{ $set: { state: 'FAILED', finished_at: '$$NOW', failure } }]);
}

/** Ends runs whose process has died. */
export async function failAbandonedMaintenance(db: Db): Promise<void> {
  for (const kind of ['CHECK', 'RECOVERY'] as const)
    await maintenance(db).updateOne({ _id: kind, state: 'RUNNING', $expr: { $not: isUnderWay } }, [
      { $set: { state: 'FAILED', finished_at: '$seen_at', failure: 'The server that ran it has stopped' } },
    ]);
}

/** Guard: an abandoned run that comes back matches nothing, because it has failed or `run` names the next one. */
const running = (kind: MaintenanceKind, run: string) => ({ _id: kind, run, state: 'RUNNING' }) as const;
