/** The outcome of a file, as text and for JSON. */

import { type RejectReason, rejectReasons } from '../../models/analytics/log/log-line.js';
import type { LogImportDocument, LogImportState } from '../../models/analytics/log-import/log-import.js';
import { unbroken } from '../../terminal/fold.js';
import { formatCount } from '../../terminal/import-progress.js';

/** The counts cover everything read from the file so far, including by earlier runs. */
export interface FileOutcome {
  readonly file: string;
  readonly state: LogImportState | 'REFUSED';
  /** Null when the file was refused. */
  readonly import: string | null;
  readonly lines: number;
  readonly imported: number;
  readonly hits: number;
  readonly rejected: number;
  readonly rejectReasons: readonly { readonly reason: string; readonly count: number }[];
  readonly failure: string | null;
  /** Whether the file had lines that were not read before. */
  readonly hadUnreadLines: boolean;
}

export function refused(file: string, failure: string): FileOutcome {
  const nothing = { lines: 0, imported: 0, hits: 0, rejected: 0, rejectReasons: [] };
  return { file, state: 'REFUSED', import: null, ...nothing, failure, hadUnreadLines: false };
}

export function outcomeOf(file: string, document: LogImportDocument, hadUnreadLines: boolean): FileOutcome {
  const { _id, state, lines, imported, hits, rejected, failure = null } = document;
  const reasons = Object.entries(document.reject_reasons)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({ reason: rejectReasons[reason as RejectReason], count }))
    .sort((left, right) => right.count - left.count);
  return { file, state, import: _id, lines, imported, hits, rejected, rejectReasons: reasons, failure, hadUnreadLines };
}

/** @param ms how long it took */
export function describeOutcome(outcome: FileOutcome, ms: number): string {
  const { file, state, lines, imported, hits, rejected, failure } = outcome;
  if (state === 'REFUSED') return `${unbroken(file)}: not imported. ${failure}`;
  const figures = [
    `${formatCount(lines)} lines`,
    `${formatCount(imported)} requests`,
    `${formatCount(hits)} hits`,
    `${formatCount(rejected)} rejected`,
  ];
  const end = END[state] ?? failure;
  return [
    `${unbroken(file)}: ${outcome.hadUnreadLines ? '' : 'nothing new: '}${figures.join(', ')}, after ${(ms / 1000).toFixed(1)} s`,
    ...outcome.rejectReasons.map(({ reason, count }) => `  ${formatCount(count)} x ${reason}`),
    ...(end ? [`  ${end}`] : []),
    `  To undo it: sextant undo-import ${outcome.import}`,
  ].join('\n');
}

/** The closing line for an import that has not FAILED. */
const END: Partial<Record<LogImportState, string>> = {
  FINISHED: '',
  WAITING: 'It is stored; a running server will continue it',
  RUNNING: 'Another process is continuing it',
  UNDOING: 'It is being undone',
  UNDONE: 'It was undone',
};
