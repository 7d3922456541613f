/** A pass of an import of a world: the rows of some kind, from the position on, in batches. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type RejectedRow, recordRows } from '../../system/work/data-import.js';
import type { HeldWork } from '../../work.js';
import type { Saving } from '../building/location-saving.js';
import { DEPTH_MAX } from '../world/item-entry.js';
import type { SourceRow, WorldRow } from './rows/world-row.js';
import { readSourceRows, type WorldFormat } from './source-rows.js';
import { type Fate, storeFolk, storeItems, storeLocations, storePlaces, UNKNOWN_PLACE } from './storing.js';

export interface WorldImportInput {
  readonly format: WorldFormat;
  readonly prefix: string;
}

/** In this order. Rows that cannot be read are rejected with the locations. */
const PASSES = ['PLACES', 'LOCATIONS', 'FOLK', 'ITEMS'] as const;
type Pass = (typeof PASSES)[number];

interface Position {
  readonly pass: Pass | 'DONE';
  /** The number of rows of the file that this pass has seen. */
  readonly rows: number;
  /** How often the items have been read before. */
  readonly round?: number;
  /** The rows that this round is for: those that the round before has left. Absent: all. */
  readonly wanted?: readonly number[];
  /** Those that it leaves. */
  readonly left?: readonly number[];
}

export const isDone = (held: HeldWork): boolean => positionOf(held.work).pass === 'DONE';

const positionOf = ({ position }: HeldWork['work']): Position =>
  (position as Position | undefined) ?? { pass: 'PLACES', rows: 0 };

const BATCH_ROWS = 100;
/** Of items that are left for a later round. */
const LEFT_MAX = 10_000;

/** A row with its number in the file. */
type NumberedRow = SourceRow & { readonly number: number };

/** From the position on to the end of the file, and then to the beginning of the next pass. */
export async function runPass(held: HeldWork, changed: (room: string) => void): Promise<void> {
  const { format, prefix } = held.work.input as WorldImportInput;
  const { pass, rows: seen, wanted } = positionOf(held.work);
  const isWanted = wanted && new Set(wanted);
  const file = { work: held.work._id, format, prefix };
  let batch: NumberedRow[] = [];
  let number = 0;
  for await (const row of readSourceRows(held.db, file)) {
    number += 1;
    if (number <= seen || !isOf(pass, row) || (isWanted && !isWanted.has(number))) continue;
    batch.push({ ...row, number });
    if (batch.length < BATCH_ROWS) continue;
    await storeBatch(held, batch, number, changed);
    batch = [];
  }
  await storeBatch(held, batch, number, changed);
  await held.step({ position: nextPass(positionOf(held.work)), total: number });
}

const isOf = (pass: Position['pass'], row: SourceRow): boolean => {
  if (pass === 'PLACES') return 'row' in row && row.row.type === 'LOCATION';
  if (pass === 'LOCATIONS') return !('row' in row) || row.row.type === 'LOCATION';
  return 'row' in row && row.row.type === (pass === 'FOLK' ? 'FOLK' : 'ITEM');
};

function nextPass({ pass, round = 0, left = [] }: Position): Position {
  if (pass === 'ITEMS' && left.length > 0) return { pass, rows: 0, round: round + 1, wanted: left };
  return { pass: PASSES[PASSES.indexOf(pass as Pass) + 1] ?? 'DONE', rows: 0 };
}

/** @param read the number of rows that the pass has seen after it */
async function storeBatch(
  held: HeldWork,
  batch: readonly NumberedRow[],
  read: number,
  changed: (room: string) => void,
): Promise<void> {
  if (batch.length === 0) return;
  const before = positionOf(held.work);
  const saving: Saving = { call: held.work._id, now: held.now, changed };
  const fates = await store(held.db, before, batch, saving);
  failpoint('game.import-stored');
  const left = [...(before.left ?? [])];
  const rejects: RejectedRow[] = [];
  for (const [index, row] of batch.entries()) {
    const fate = fates[index];
    const isLeft = fate === 'LATER' && (before.round ?? 0) < DEPTH_MAX && left.length < LEFT_MAX;
    if (isLeft) left.push(row.number);
    else if (fate === 'LATER') rejects.push(rejected(row, UNKNOWN_PLACE));
    else if (typeof fate === 'object') rejects.push(rejected(row, fate));
  }
  const position: Position = { ...before, rows: read, ...(left.length > 0 && { left }) };
  await recordRows(held, async () => ({
    position,
    imported: fates.filter((fate) => fate === 'STORED').length,
    skipped: fates.filter((fate) => fate === 'THERE').length,
    rejects,
    isGoingOn: before.pass !== 'LOCATIONS' || fates.some((fate) => typeof fate === 'object' && fate.isStoredInPart),
  }));
  failpoint('game.import-recorded');
}

const rejected = (
  { number, line, raw }: NumberedRow,
  { reason, field }: Pick<RejectedRow, 'reason' | 'field'>,
): RejectedRow => ({ row: number, line, raw, reason, field: field ?? null });

/** @returns what became of each row. In the pass for places, none is counted */
async function store(
  db: Db,
  { pass }: Position,
  batch: readonly NumberedRow[],
  saving: Saving,
): Promise<readonly (Fate | undefined)[]> {
  const rows = batch.flatMap((each) => ('row' in each ? [each.row] : []));
  if (pass === 'PLACES') {
    await storePlaces(db, ofType(rows, 'LOCATION'), saving);
    return [];
  }
  const fates =
    pass === 'LOCATIONS'
      ? await storeLocations(db, ofType(rows, 'LOCATION'), saving)
      : pass === 'FOLK'
        ? await storeFolk(db, ofType(rows, 'FOLK'), saving)
        : await storeItems(db, ofType(rows, 'ITEM'), saving);
  const next = fates.values();
  return batch.map((each) => ('row' in each ? next.next().value : { reason: each.reason, field: each.field }));
}

const ofType = <Type extends WorldRow['type']>(rows: readonly WorldRow[], type: Type) =>
  rows.filter((row): row is Extract<WorldRow, { readonly type: Type }> => row.type === type);
