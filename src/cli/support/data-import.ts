/** The outcome of an import of rows, as text and for JSON. */
import { Option } from 'commander';
import type { Db } from 'mongodb';
import { findRejectedRows, type RejectedRow, reasonInWords } from '../../models/system/work/data-import.js';
import type { WorkDocument, WorkKind } from '../../models/work.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import type { Connection } from '../../shared/page.js';
import { unbroken } from '../../terminal/fold.js';
import { formatCount } from '../../terminal/import-progress.js';

export interface ImportOutcome {
  readonly file: string;
  readonly state: string;
  /** Its id in the API. Null when the file was refused. */
  readonly import: string | null;
  readonly imported: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly failure: string | null;
  /** The first rejected rows, or all that are kept. */
  readonly rejects: readonly ShownReject[];
}

interface ShownReject {
  /** Of several files, the one that has the line. */
  readonly file?: string;
  readonly line: number;
  readonly field: string | null;
  readonly reason: string;
}

const REJECTS_SHOWN = 20;
/** Read at once. */
const REJECTS_PAGE = 500;

/** How the commands that import rows call the option. */
export const allRejectsOption = () =>
  new Option('--all-rejects', 'list all rejected rows that are kept (at most 10,000), not only the first 20');

export function refusedFile(file: string, failure: string): ImportOutcome {
  return { file, state: 'REFUSED', import: null, imported: 0, skipped: 0, rejected: 0, failure, rejects: [] };
}

export async function outcomeOfImport(
  db: Db,
  kind: Pick<WorkKind, 'name' | 'rejectReasons'>,
  file: string,
  work: WorkDocument,
  allRejects: boolean,
): Promise<ImportOutcome> {
  const { _id, type, state, imported = 0, skipped = 0, rejected = 0, failure = null } = work;
  const rows = await readRejects(db, _id, allRejects);
  const rejects = rows.map(({ line, reason, field = null }) => ({
    line,
    field,
    reason: reasonInWords([kind], work, reason),
  }));
  return { file, state, import: toGlobalId(type, _id), imported, skipped, rejected, failure, rejects };
}

async function readRejects(db: Db, work: string, all: boolean): Promise<RejectedRow[]> {
  const rows: RejectedRow[] = [];
  for (let after: string | null = null; ; ) {
    const first: number = all ? REJECTS_PAGE : REJECTS_SHOWN;
    const { edges, pageInfo }: Connection<RejectedRow> = await findRejectedRows(db, work, { first, after });
    rows.push(...edges.map(({ node }) => node));
    after = pageInfo.endCursor ?? null;
    if (!all || !pageInfo.hasNextPage) return rows;
  }
}

const describeReject = ({ file, line, field, reason }: ShownReject): string =>
  `  ${file === undefined ? '' : `${unbroken(file)}, `}line ${line}${field === null ? '' : `, ${field}`}: ${reason}`;

/** @param ms how long it took */
export function describeImport(outcome: ImportOutcome, ms: number, canBeUndone = true): string {
  const { file, state, import: id, imported, skipped, rejected, rejects, failure } = outcome;
  const figures = [
    `${formatCount(imported)} imported`,
    `${formatCount(skipped)} already here`,
    `${formatCount(rejected)} rejected`,
  ];
  return [
    `${unbroken(file)}: ${figures.join(', ')}, after ${(ms / 1000).toFixed(1)} s`,
    ...rejects.map(describeReject),
    ...(rejected > rejects.length ? [`  and ${formatCount(rejected - rejects.length)} more`] : []),
    ...(failure === null ? [] : [`  ${failure}`]),
    ...(canBeUndone && state === 'FINISHED' && imported > 0
      ? [`  To undo it: sextant undo-import ${idOfType('DataImport', id ?? '')}`]
      : []),
    ...(state === 'WAITING' ? ['  Stopped. A server continues it, or repeat the command'] : []),
  ].join('\n');
}
