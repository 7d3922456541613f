/** What the game stores about an account, and what is left when the account is deleted. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pickUpItem } from '../../src/models/game/acts/handling.js';
import { game } from '../../src/models/game/domain.js';
import { muteCharacter } from '../../src/models/game/moderation/moderation.js';
import { personalData } from '../../src/models/game/personal-data.js';
import { characters } from '../../src/models/game/world/character.js';
import { findViolations } from '../../src/models/violation.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';
import { World } from './game-support.js';

const database = useDatabase();
let world: World;

beforeAll(async () => {
  world = new World(database.db);
  await world.rooms({ hall: {} });
  await world.item('lamp', 'hall');
  await world.character('Tim', 'ROGUE', 'ann');
  await world.character('Tom', 'MAGE', 'ann');
  await world.character('Other', 'MAGE', 'bob');
  await pickUpItem(database.db, { ...world.act('tim'), owner: 'ann' }, 'lamp');
});

const rowsOf = async (account: string) => {
  const rows: object[] = [];
  for await (const { file, row } of personalData.rows(database.db, account)) rows.push({ file, ...row });
  return rows;
};

describe('the personal data of the game', () => {
  it('are the characters, with what they carry and remember', async () => {
    expect(await rowsOf('ann')).toMatchObject([
      { file: 'characters.jsonl', name: 'Tim', class: 'ROGUE', inventory: [{ id: 'lamp' }], location: 'The hall' },
      { file: 'characters.jsonl', name: 'Tom' },
    ]);
  });
  it('have the end of a mute', async () => {
    const until = new Date(Date.UTC(2099, 0, 1));
    await muteCharacter(database.db, 'tim', until, testAct());
    expect((await rowsOf('ann')).at(-1)).toEqual({ file: 'mutes.jsonl', until });
    expect(await rowsOf('bob')).toHaveLength(1);
  });
  it('are erased with the account: what was carried stays in the room', async () => {
    while (((await personalData.erase?.(database.db, 'ann', new Date(), [])) ?? 0) > 0);
    expect(await rowsOf('ann')).toEqual([]);
    expect(await characters(database.db).distinct('_id')).toEqual(['other']);
    expect(await world.lying('hall')).toEqual(['lamp']);
    await world.copy();
    const violations = [];
    for await (const violation of findViolations(database.db, [game])) violations.push(violation);
    expect(violations).toEqual([]);
  });
});
