/**
 * Background work: what a domain declares to have long work done, and what such work may do. One collection holds the work of all
 * domains (`system/work`), where its leases, progress and end are kept.
 */
import type { ClientSession, Db } from 'mongodb';

export type WorkState = 'WAITING' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'UNDOING' | 'UNDONE';

export interface WorkDocument {
  _id: string;
  /** The name of its kind. */
  kind: string;
  /** The GraphQL type that describes it, for example `DataImport`. */
  type: string;
  /** The user who started it. Null when a command did. */
  owner: string | null;
  state: WorkState;
  /** Present until it has ended, and while it is being undone. */
  open?: true;
  /** What was asked for. Only its kind reads it. It never changes. */
  input: object;
  /** Where to continue. Only its kind reads it. Absent before the first step. */
  position?: object;
  /** In units of its kind. */
  done: number;
  /** Absent while unknown. */
  total?: number;
  /** The fencing token of the latest lease holder. The filter of every write of the work contains it. */
  token: number;
  /** How many steps were recorded. Each write of a step names the number before it. */
  steps: number;
  /** How many times it was taken up since its last step. */
  attempts: number;
  created_at: Date;
  started_at?: Date;
  finished_at?: Date;
  /** Why it failed, for the user. */
  failure?: string;
  /** The name of the file that an import reads or an export writes, for display. Its parts are in `work.parts`. */
  file_name?: string;
  /** The size of that file. For an export, of what is written so far. */
  bytes?: number;
  /** For an export that began anew: the number of the part with which its file begins. Absent: 0. */
  first_part?: number;
  /** For an export: the secret part of its address. */
  download_key?: string;
  /** For an import: the number of rows that were stored. */
  imported?: number;
  /** For an import: the number of rows that an earlier import had stored. */
  skipped?: number;
  /** For an import: the number of rows that could not be stored. */
  rejected?: number;
  /** For an import: the number of rejected rows by reason, which `rejectReasons` of its kind puts into words. */
  reject_reasons?: Record<string, number>;
  /** For sample data that was undone: the number of items that stay, because somebody has changed them. */
  kept?: number;
  /** For news that are rebuilt: the number of references that were missing or did not belong there. */
  wrong?: number;
  /** It ended long ago, and what belongs to it is being removed. */
  removing?: true;
}

/** One step of work. */
export interface WorkStep {
  /** Where to continue after it. Default: as before. */
  readonly position?: object;
  /** The number of units it has done. Negative for one that undoes. */
  readonly done?: number;
  /** The number of units that there are. Default: as before. */
  readonly total?: number;
  /** Added to numbers of the document, for example `bytes`, `imported` and `reject_reasons.SLUG_TAKEN`. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** Sends the writes of a step. @returns the step */
export type StepWrites = (session: ClientSession) => Promise<WorkStep>;

/** A piece of work in the hands of the process that holds its lease. */
export interface HeldWork {
  readonly db: Db;
  readonly now: () => Date;
  /** As of the last step. */
  readonly work: Readonly<WorkDocument>;
  /** Aborts when the lease is lost or the process stops: end what takes long. */
  readonly signal: AbortSignal;
  /**
   * Records a step. With a function, together with the writes that it sends, in one transaction. Then rests in favor of other work.
   * A process that lost the lease writes nothing.
   * @param step a function may run several times; each retry starts without its earlier writes
   * @throws LeaseLostError, or an error that stops the run: let both pass
   */
  step(step: WorkStep | StepWrites): Promise<void>;
}

/** A kind of work. Its `run` may be interrupted at any moment; another process then calls it again, with the position of the last step. */
export interface WorkKind {
  /** Stored with the work, so it never changes. */
  readonly name: string;
  /** The GraphQL type that describes such work. It implements `BackgroundWork`. */
  readonly type: string;
  /** For an import: its reasons to reject a row, in words. */
  readonly rejectReasons?: Readonly<Record<string, string>>;
  /** Does the work, from `held.work.position` on. @throws WorkFailure */
  run(held: HeldWork): Promise<void>;
  /** Takes back what was done, as long as there is something left. Without it, such work cannot be undone. @throws WorkFailure */
  undo?(held: HeldWork): Promise<void>;
}

/** The work cannot be done. The message is for the user. */
export class WorkFailure extends Error {
  override name = 'WorkFailure';
}
