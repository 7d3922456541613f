/**
 * The order of a batch: by time, except that a comment comes after the one that it replies to, whatever their times say. A row whose
 * parent comes later gets a later place, behind it.
 */
import type { Db } from 'mongodb';
import { findStaged, type StagedRow, stagedId } from './staged-row.js';

/** Of rows above a row that come later. Foreign clocks are off for a few rows; more are a circle, or a file of nonsense. */
const LATER_MAX = 200;

export type Place = Pick<StagedRow, 'posted' | 'wait'>;

/** @returns by the row's `_id`: the places of those that come later, or null if they never can */
export async function findLaterPlaces(db: Db, batch: readonly StagedRow[]): Promise<ReadonlyMap<string, Place | null>> {
  const parents = new Parents(db);
  await parents.load(batch);
  const later = new Map<string, Place | null>();
  for (const row of batch) {
    const parent = await parents.of(row);
    if (parent && isBefore(row, parent)) later.set(row._id, await placeBehind(parents, row, parent));
  }
  return later;
}

/** The parent may have to wait itself: the place is behind the last of all above it. */
async function placeBehind(parents: Parents, row: StagedRow, first: StagedRow): Promise<Place | null> {
  let posted = row.posted;
  let wait = 0;
  for (let above: StagedRow | null = first; above; above = await parents.of(above)) {
    wait = Math.max(wait, above.wait) + 1;
    if (above._id === row._id || wait > LATER_MAX) return null;
    if (above.posted > posted) posted = above.posted;
  }
  return { posted, wait };
}

type Ordered = Place & Pick<StagedRow, 'row'>;

export const isBefore = (one: Ordered, other: Ordered): boolean =>
  one.posted < other.posted ||
  (one.posted.getTime() === other.posted.getTime() &&
    (one.wait < other.wait || (one.wait === other.wait && one.row <= other.row)));

/** What rows reply to, as far as it waits to be stored, too. */
class Parents {
  readonly #known = new Map<string, StagedRow | null>();

  constructor(private readonly db: Db) {}

  /** Reads those of several rows at once. */
  async load(rows: readonly StagedRow[]): Promise<void> {
    for (const row of rows) this.#known.set(row._id, row);
    const missing = new Set(rows.flatMap((row) => this.#idOf(row) ?? []).filter((id) => !this.#known.has(id)));
    for (const id of missing) this.#known.set(id, null);
    if (missing.size === 0) return;
    for (const found of await findStaged(this.db, [...missing])) this.#known.set(found._id, found);
  }

  async of(row: StagedRow): Promise<StagedRow | null> {
    const id = this.#idOf(row);
    if (id !== null && !this.#known.has(id)) await this.load([row]);
    return (id !== null && this.#known.get(id)) || null;
  }

  #idOf({ work, discussion, reply_to }: StagedRow): string | null {
    return reply_to === undefined ? null : stagedId(work, discussion, reply_to);
  }
}
