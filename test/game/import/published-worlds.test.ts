/** Worlds of other games, if they are next to the project: imported, and the cave walked by typed commands, with the texts of its file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../../harness/project-root.js';
import { sendCommand } from '../../../src/models/game/commands/sending.js';
import { items } from '../../../src/models/game/world/item.js';
import { findStart } from '../../../src/models/game/world/world.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';
import { useWorldImports } from './world-import-support.js';

const folder = join(projectRoot, '../shared/data/text-game');
const isHere = existsSync(folder);
const read = (...names: string[]): string => names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
const database = useDatabase();
const { importAll, allLocations, exportAll, expectSound } = useWorldImports(database);

/** The numbers of rejected rows by reason. */
const reasonsOf = ({ reject_reasons }: WorkDocument) => reject_reasons;

describe.skipIf(!isHere)('published worlds', () => {
  const rooms = isHere
    ? read('cave-rooms.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as CaveRoom)
    : [];
  interface CaveRoom {
    readonly id: string;
    readonly description: { readonly long: string | null };
    readonly travel: readonly { readonly action: readonly unknown[] }[];
  }
  const textOf = (id: string): string =>
    (rooms.find((room) => room.id === id)?.description.long ?? '').replaceAll('\n', ' ');
  let cave: WorkDocument;

  beforeAll(async () => {
    const file = read('cave-rooms.jsonl', 'cave-objects.jsonl', 'cave-motions.jsonl');
    cave = await importAll(file, { format: 'OPEN_ADVENTURE', prefix: 'cave' });
  });

  it('list what of the cave cannot be had here', async () => {
    expect(cave).toMatchObject({ state: 'FINISHED', skipped: 0 });
    expect(reasonsOf(cave)).toEqual({
      BY_CARRYING: 2,
      BY_CHANCE: 5,
      BY_PROGRAM: 6,
      BY_STATE: 13,
      ENDS_THE_GAME: 15,
      NOT_REACHED: 2,
      NOWHERE: 20,
      NO_NAME: 3,
      SAYS_SOMETHING: 34,
    });
    const found = await allLocations();
    expect(found.filter(({ _id }) => _id.startsWith('cave:'))).toHaveLength(178);
    expect(await findStart(database.db)).toBe('cave:LOC_START');
    await expectSound();
  });

  it('let a player walk from the road to the hall of the cave and back, with the texts of its file', async () => {
    const world = new World(database.db);
    await world.character('Walker');
    const go = async (text: string) => {
      const outcome = await sendCommand(database.db, world.act('walker'), text);
      await world.copy();
      return outcome;
    };
    const down = [
      'building',
      'take the set of keys',
      'out',
      'depression',
      'down',
      'crawl',
      'west',
      'west',
      'west',
      'west',
      'down',
    ];
    const up = ['up', 'east', 'east', 'east', 'east', 'east', 'up', 'north', 'building'];
    const seen: string[] = [];
    for (const text of [...down, ...up]) {
      expect(await go(text), text).toHaveProperty('_id', 'walker');
      const { location } = await world.of('walker');
      expect(location.description, text).toBe(textOf(location._id.slice('cave:'.length)));
      seen.push(location.name);
    }
    expect(seen).toEqual([
      'Inside building',
      'Inside building',
      'In front of building',
      'Outside grate',
      'Below the grate',
      'Cobble crawl',
      'Debris room',
      'Awkward sloping east/west canyon',
      'Bird chamber',
      'Top of small pit',
      'Hall of Mists',
      'Top of small pit',
      'Bird chamber',
      'Awkward sloping east/west canyon',
      'Debris room',
      'Cobble crawl',
      'Below the grate',
      'Outside grate',
      'Slit in streambed',
      'In front of building',
    ]);
  });

  it('keep the grate closed to whoever lacks the keys', async () => {
    const world = new World(database.db);
    await world.character('Keyless');
    await sendCommand(database.db, world.act('keyless'), 'depression');
    await world.copy();
    expect(await sendCommand(database.db, world.act('keyless'), 'down')).toMatchObject({
      __typename: 'ExitClosed',
      needs: 'set of keys',
    });
  });

  it('change nothing when they are imported again', async () => {
    const before = await exportAll();
    const file = read('cave-motions.jsonl', 'cave-objects.jsonl', 'cave-rooms.jsonl');
    const again = await importAll(file, { format: 'OPEN_ADVENTURE', prefix: 'cave' });
    expect(again).toMatchObject({ imported: 0, skipped: cave.imported, rejected: cave.rejected });
    expect(await exportAll()).toBe(before);
  });

  it('come from Ranvier and Architext as well', async () => {
    const limbo = read('ranvier-limbo-rooms.jsonl', 'ranvier-limbo-items.jsonl', 'ranvier-limbo-npcs.jsonl');
    const areas = `{"area":"limbo"}\n${limbo}{"area":"mapped"}\n${read('ranvier-mapped-rooms.jsonl')}`;
    const ranvier = await importAll(areas, { format: 'RANVIER' });
    expect(ranvier).toMatchObject({ state: 'FINISHED', imported: 48 });
    expect(reasonsOf(ranvier)).toEqual({
      BY_PROGRAM: 12,
      LOCKED: 2,
      LOCKED_CONTAINER: 1,
      NOWHERE: 1,
      UNKNOWN_FOLK: 1,
      UNKNOWN_ITEM: 2,
    });
    for (const [name, prefix, roomCount] of [
      ['monks_riddle', 'monk', 35],
      ['museum', 'museum', 4],
    ] as const) {
      const done = await importAll(read(`architext-${name}_en.json`), { format: 'ARCHITEXT', prefix });
      expect(done).toMatchObject({ state: 'FINISHED' });
      expect((await allLocations()).filter(({ _id }) => _id.startsWith(`${prefix}:`))).toHaveLength(roomCount);
    }
    await expectSound();
  });

  it('and lists of goods become items, with their weights and prices', async () => {
    interface Goods {
      readonly index: string;
      readonly name: string;
      readonly weight?: number;
      readonly cost: { readonly quantity: number; readonly unit: string };
    }
    const goods = read('srd-equipment.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Goods);
    const shops = [0, 1].map((n) => ({ location: `store-${n}`, name: 'Store' }));
    const rows = goods.map(({ index, name, weight, cost }, n) => ({
      item: `srd-${index}`,
      name,
      ...(weight !== undefined && { pounds: weight }),
      cost,
      place: `store-${n % 2}`,
    }));
    expect(await importAll([...rows, ...shops])).toMatchObject({ imported: goods.length + 2, rejected: 0 });
    const club = await items(database.db).findOne({ _id: 'srd-club' });
    expect(club).toMatchObject({ name: 'Club', weight: 907, price: 1 });
    await expectSound();
  });
});
