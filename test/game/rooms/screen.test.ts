/** The live screen of a player is what its document becomes once the room is copied into it, whatever has happened in between. */
import { beforeAll, describe, expect, it } from 'vitest';
import { chooseSeed, makeRandom } from '../../../harness/random.js';
import { dropItem, pickUpItem } from '../../../src/models/game/acts/handling.js';
import { look } from '../../../src/models/game/acts/looking.js';
import { moveCharacter } from '../../../src/models/game/acts/movement.js';
import { speak } from '../../../src/models/game/acts/speech.js';
import { copyRoom } from '../../../src/models/game/rooms/room-copy.js';
import { screenOf } from '../../../src/models/game/rooms/screen.js';
import { type CharacterDocument, characters } from '../../../src/models/game/world/character.js';
import { shownHappenings } from '../../../src/models/game/world/happening.js';
import { locations } from '../../../src/models/game/world/location.js';
import { useDatabase } from '../../support/database.js';
import { World } from '../game-support.js';

const database = useDatabase();
let world: World;
let ids: [string, string, string];

beforeAll(async () => {
  world = new World(database.db);
  await world.rooms({ hall: { north: 'kitchen' }, kitchen: { south: 'hall' } });
  await world.item('lamp', 'hall');
  ids = [await world.character('Ann'), await world.character('Bob'), await world.character('Cid')];
});

const documents = (): Promise<CharacterDocument[]> =>
  characters(database.db)
    .find({ _id: { $in: ids } })
    .sort({ _id: 1 })
    .toArray();

async function screens(): Promise<CharacterDocument[]> {
  const found = await documents();
  const rooms = await locations(database.db).find({}).toArray();
  return found.map((character) => {
    const room = rooms.find(({ _id }) => _id === character.location._id);
    if (!room) throw new Error(`${character._id} is nowhere`);
    return screenOf(character, room);
  });
}

const shownOf = (screen: CharacterDocument) => ({
  id: screen._id,
  happenings: shownHappenings(screen),
  location: screen.location,
});

describe('a live screen', () => {
  const seed = chooseSeed('screens');
  it('is the document that the copies lead to', async () => {
    const random = makeRandom(seed);
    let news = 0;
    for (let round = 0; round < 40; round += 1) {
      const acts = 1 + random.below(8);
      for (let count = 0; count < acts; count += 1) {
        const id = random.pick(ids);
        const steps = [
          () => speak(database.db, world.act(id), `Word ${round}`, null),
          () => speak(database.db, world.act(id), `Secret ${round}`, random.pick(ids)),
          () => look(database.db, world.act(id), null),
          () => pickUpItem(database.db, world.act(id), 'lamp'),
          () => dropItem(database.db, world.act(id), 'lamp'),
          () => moveCharacter(database.db, world.act(id), random.pick(['north', 'south'])),
        ] as const;
        await random.pick<() => Promise<unknown>>(steps)();
      }
      const before = await documents();
      const live = await screens();
      news += live.filter(({ happenings }, at) => happenings.length > (before[at]?.happenings.length ?? 0)).length;
      if (random.below(2) === 0) {
        for (const room of ['hall', 'kitchen']) await copyRoom(database.db, room);
        const copied = (await documents()).map(shownOf);
        expect({ seed, round, screens: live.map(shownOf) }).toEqual({ seed, round, screens: copied });
      }
      for (const screen of live) {
        const numbers = screen.happenings.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
      }
    }
    expect(news, 'screens that are ahead of the documents').toBeGreaterThan(0);
  });
});
