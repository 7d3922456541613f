/**
 * Areas of Ranvier: rooms, items and characters ("npcs"), one per line, in any order. A line `{"area": "limbo"}` names the area of the
 * lines after it. Ranvier's items and characters are patterns: each place that names one gets a copy of its own.
 */
import { z } from 'zod';
import { keyFrom } from '../rows/foreign-text.js';
import { type ReadLine, refused, type SourceRow } from '../rows/world-row.js';
import { Copies } from './copies.js';
import { references, rowsOfRoom } from './room-rows.js';
import { type Found, folkShape, itemShape, type Known, roomShape } from './shapes.js';

export function convertRanvier(lines: readonly ReadLine[]): SourceRow[] {
  const areas = new Areas(lines);
  const copies = new Copies(areas);
  const rows = new Map<number, SourceRow[]>(areas.refusals);
  // The rooms say what is copied, so they come first, whatever the order of the file is.
  for (const found of areas.rooms.values()) rows.set(found.line.line, rowsOfRoom(found, areas, copies));
  for (const [line, copied] of copies.rows()) rows.set(line, [...(rows.get(line) ?? []), ...copied]);
  return [...rows].toSorted(([one], [other]) => one - other).flatMap(([, each]) => each);
}

const areaLine = z.strictObject({ area: z.string().min(1) });

/** All that the file has, by `area:id`. */
class Areas implements Known {
  readonly rooms = new Map<string, Found<z.infer<typeof roomShape>>>();
  readonly items = new Map<string, Found<z.infer<typeof itemShape>>>();
  readonly folk = new Map<string, Found<z.infer<typeof folkShape>>>();
  /** By line. */
  readonly refusals: [number, SourceRow[]][] = [];

  constructor(lines: readonly ReadLine[]) {
    let area = '';
    for (const line of lines) {
      const named = areaLine.safeParse(line.fields);
      if (named.success) area = named.data.area;
      else this.#take(line, area);
    }
  }

  find<T>(among: ReadonlyMap<string, Found<T>>, reference: string): Found<T> | null {
    for (const id of references(reference)) {
      const found = among.get(id);
      if (found) return found;
    }
    return null;
  }

  #take(line: ReadLine, area: string): void {
    const { fields } = line;
    const row = !('id' in fields)
      ? refused(line, 'NO_KIND')
      : 'title' in fields
        ? add(this.rooms, roomShape, line, area)
        : 'roomDesc' in fields || 'type' in fields
          ? add(this.items, itemShape, line, area)
          : add(this.folk, folkShape, line, area);
    if (row) this.refusals.push([line.line, [row]]);
  }
}

/** @returns the line, refused, or null */
function add<T extends { readonly id: string }>(
  to: Map<string, Found<T>>,
  shape: z.ZodType<T>,
  line: ReadLine,
  area: string,
): SourceRow | null {
  const read = shape.safeParse(line.fields);
  if (!read.success) return refused(line, 'INVALID_FIELD', read.error.issues[0]?.path.join('.') ?? null);
  const id = area === '' ? read.data.id : `${area}:${read.data.id}`;
  if (to.has(id)) return refused(line, 'USED_TWICE', 'id');
  to.set(id, { key: keyFrom(id), area, line, value: read.data });
  return null;
}
