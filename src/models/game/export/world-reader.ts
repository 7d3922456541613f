/**
 * The rows of an export: locations, folk and items, each kind sorted by key, as `import/own-row.ts` reads them. What it has in memory
 * does not grow with the world. People play on meanwhile: each item is written once, where it was when its batch was read.
 */
import type { Db } from 'mongodb';
import { inSnapshot } from '../../../database/index.js';
import { type ExportLine, toLine } from '../../system/work/export-file.js';
import { type CharacterDocument, characters } from '../world/character.js';
import { type ItemDocument, items } from '../world/item.js';
import { type LocationDocument, locations } from '../world/location.js';
import { findStart } from '../world/world.js';
import { findNamedPlaces } from './named-place.js';

export interface ReaderPosition {
  readonly kind: (typeof KINDS)[number];
  /** The row of the kind that was written last, by the key of its document. */
  readonly after: string;
}

const KINDS = ['location', 'folk', 'item'] as const;
const READ_AT_ONCE = 100;

interface KeyedRow {
  readonly id: string;
  readonly row: object;
}

export class WorldReader {
  #position: ReaderPosition;

  /** @param from null: from the beginning */
  constructor(
    private readonly db: Db,
    from: ReaderPosition | null,
  ) {
    this.#position = from ?? { kind: 'location', after: '' };
  }

  /** After the line that was read last. */
  get position(): object {
    return this.#position;
  }

  async *lines(): AsyncGenerator<ExportLine, undefined> {
    for (const kind of KINDS.slice(KINDS.indexOf(this.#position.kind))) {
      if (kind !== this.#position.kind) this.#position = { kind, after: '' };
      for (let rows = await this.#read(); rows.length > 0; rows = await this.#read())
        for (const { id, row } of rows) {
          this.#position = { kind, after: id };
          yield toLine(row);
        }
    }
  }

  #read(): Promise<KeyedRow[]> {
    const { kind, after } = this.#position;
    if (kind === 'location') return readLocations(this.db, after);
    return kind === 'folk' ? readFolk(this.db, after) : readItems(this.db, after);
  }
}

async function readLocations(db: Db, after: string): Promise<KeyedRow[]> {
  const start = await findStart(db);
  const found = locations(db)
    .find({ _id: { $gt: after } }, { projection: { name: 1, description: 1, exits: 1 } })
    .sort({ _id: 1 })
    .limit(READ_AT_ONCE);
  return found.map((each) => ({ id: each._id, row: rowOfLocation(each, each._id === start) })).toArray();
}

async function readFolk(db: Db, after: string): Promise<KeyedRow[]> {
  const projection = { name: 1, class: 1, role: 1, gold: 1, 'location._id': 1 } as const;
  const found = characters(db)
    .find({ owner: null, _id: { $gt: after } }, { projection })
    .sort({ _id: 1 })
    .limit(READ_AT_ONCE);
  return found.map((each) => ({ id: each._id, row: rowOfFolk(each) })).toArray();
}

async function readItems(db: Db, after: string): Promise<KeyedRow[]> {
  const { value } = await inSnapshot(db, async (session) => {
    const found = await items(db)
      .find({ _id: { $gt: after } }, { session })
      .sort({ _id: 1 })
      .limit(READ_AT_ONCE)
      .toArray();
    const places = await findNamedPlaces(db, session, new Set(found.map(({ _id }) => _id)));
    return found.map((each) => ({ id: each._id, row: rowOfItem(each, places.get(each._id)) }));
  });
  return value;
}

/** Without what is the default. */
const withoutDefaults = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isDefault(value)));

const isDefault = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

const rowOfLocation = (
  { _id, name, description, exits }: Pick<LocationDocument, '_id' | 'name' | 'description' | 'exits'>,
  isStart: boolean,
): object =>
  withoutDefaults({
    location: _id,
    name,
    description,
    isStart,
    exits: exits.map((exit) =>
      withoutDefaults({
        direction: exit.direction,
        aliases: exit.aliases,
        description: exit.description,
        needs: exit.needs,
        to: exit.to,
      }),
    ),
  });

const rowOfFolk = ({ name, class: kind, role, gold, location }: CharacterDocument): object => ({
  folk: name,
  class: kind,
  role,
  gold,
  at: location._id,
});

const rowOfItem = (
  { _id, name, description, kind, bonus, quantity, weight, price, is_fixed, slots }: ItemDocument,
  place: object | undefined,
): object =>
  withoutDefaults({
    item: _id,
    name,
    description,
    ...(kind !== 'THING' && { kind }),
    ...(bonus !== 0 && { bonus }),
    ...(quantity !== 1 && { quantity }),
    ...(weight !== 0 && { weight }),
    price,
    isFixed: is_fixed,
    slots,
    ...place,
  });
