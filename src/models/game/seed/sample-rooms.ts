/** The places of the sample world: Saltmere, a village on the shore whose light has gone out. */
import type { LocationRow } from '../import/rows/world-row.js';

/** A way: the direction, where it leads, what one must carry, and other words for it. */
type Way = readonly [direction: string, to: string, needs?: string | null, ...aliases: string[]];

const PREFIX = 'saltmere:';
export const sampleKey = (key: string): string => `${PREFIX}${key}`;

const room = (key: string, name: string, description: string, ways: readonly Way[], isStart = false): LocationRow => ({
  type: 'LOCATION',
  key: sampleKey(key),
  name,
  description,
  exits: ways.map(([direction, to, needs = null, ...aliases]) => ({
    direction,
    aliases,
    description: '',
    needs: needs === null ? null : sampleKey(needs),
    to: sampleKey(to),
  })),
  isStart,
});

export const sampleRooms: readonly LocationRow[] = [
  room(
    'landing',
    'Ferry landing',
    'The ferry has set you down on wet planks and is already a smudge of smoke on the grey water. Saltmere climbs the slope to the north: a dozen slate roofs, one crooked chimney. Far out on the eastern rocks stands the lighthouse, tall, white, and dark. A notice is nailed to a post.',
    [
      ['north', 'square', null, 'n', 'village'],
      ['east', 'beach', null, 'e'],
      ['west', 'boathouse', 'boathouse-key', 'w', 'boathouse'],
    ],
    true,
  ),
  room(
    'square',
    'Village square',
    'Nets hang between the houses like washing. A dry fountain fills the middle of the square, and a stone fish stares from it as if it had been promised water. The inn is to the west, the chandlery to the east, and a lane leads uphill to the chapel.',
    [
      ['south', 'landing', null, 's'],
      ['west', 'inn', null, 'w', 'inn'],
      ['east', 'chandlery', null, 'e', 'shop'],
      ['north', 'lane', null, 'n', 'uphill'],
    ],
  ),
  room(
    'inn',
    'The Dry Anchor',
    'The ceiling is low enough to teach tall people humility. A fire of driftwood burns green at the edges, and everyone who drinks here seems to have just stopped talking. Behind the counter, steps go down to the cellar.',
    [
      ['east', 'square', null, 'e', 'out', 'square'],
      ['down', 'cellar', null, 'd', 'cellar'],
    ],
  ),
  room(
    'cellar',
    'Cellar of the inn',
    'Barrels, and the sweet smell of barrels. One wall is newer than the others: its planks have been nailed up in a hurry, and cold air comes through the gaps. With a good lever they would not hold for long.',
    [
      ['up', 'inn', null, 'u', 'inn'],
      ['east', 'cave', 'crowbar', 'e', 'planks'],
    ],
  ),
  room(
    'chandlery',
    'Roe’s chandlery',
    'Everything that floats, and everything that keeps things afloat: rope, tar, brass, wool. The shelves lean towards each other over the counter as though they were gossiping. A hand-written sign says: NO CREDIT, NOT EVEN FOR THE DROWNED.',
    [['west', 'square', null, 'w', 'out', 'square']],
  ),
  room(
    'lane',
    'Lane above the roofs',
    'From here you look down on the whole of Saltmere, which takes no longer than a blink. The lane forks at a stunted hawthorn: the chapel stands to the north, and a path bends west to the cottage where the keeper of the light used to live.',
    [
      ['south', 'square', null, 's', 'downhill'],
      ['north', 'chapel', null, 'n', 'chapel'],
      ['west', 'cottage', null, 'w', 'cottage'],
    ],
  ),
  room(
    'chapel',
    'Chapel of the Ninth Wave',
    'Model ships hang from the roof beams, one for every crew that came home. There is room for more. The windows show the sea in blues that the sea itself has never managed. A stair behind the font leads down.',
    [
      ['south', 'lane', null, 's', 'out'],
      ['down', 'crypt', 'lantern', 'd', 'stair'],
    ],
  ),
  room(
    'crypt',
    'Crypt',
    'Your lantern finds captains in rows, carved in stone, each with a small lighthouse at the feet where other people keep a dog. The newest slab has no name on it yet, only a date, and the date is tomorrow.',
    [['up', 'chapel', null, 'u', 'out']],
  ),
  room(
    'cottage',
    'Keeper’s cottage',
    'Nobody has been here for a while, but somebody tidied up before they left. The bed is made, the cups hang on their hooks by size, and on the window sill a row of dead flies has been sorted as well. The back door opens on the dunes.',
    [
      ['east', 'lane', null, 'e', 'out'],
      ['west', 'dunes', null, 'w', 'back door'],
    ],
  ),
  room(
    'dunes',
    'Dunes',
    'Grass whistles in three notes. The paths between the dunes were made by rabbits and go where rabbits want to go, but to the south you hear the surf, and to the east you can see the cottage.',
    [
      ['east', 'cottage', null, 'e', 'cottage'],
      ['south', 'beach', null, 's', 'surf'],
    ],
  ),
  room(
    'beach',
    'Shingle beach',
    'Every wave drags the pebbles back with the sound of applause. The cliff rises in the north, split by a crack wide enough for a person who breathes out first. At low water, which it seems to be, a causeway of black rock leads east towards the lighthouse.',
    [
      ['west', 'landing', null, 'w', 'landing'],
      ['north', 'cave', 'lantern', 'n', 'crack', 'cave'],
      ['northwest', 'dunes', null, 'nw', 'dunes'],
      ['east', 'causeway', null, 'e', 'causeway'],
    ],
  ),
  room(
    'cave',
    'Smugglers’ cave',
    'The walls glitter where the light touches them and sulk where it does not. Someone has cut shelves into the rock, and someone else has emptied them. Daylight comes from a crack in the south; to the west, the rock gives way to planks.',
    [
      ['south', 'beach', null, 's', 'crack', 'out'],
      ['west', 'cellar', 'crowbar', 'w', 'planks'],
    ],
  ),
  room(
    'boathouse',
    'Boathouse',
    'Green light wobbles over the ceiling. A rowing boat, the Patience, lies on the slip with her name freshly painted, and nothing at all to row her with. Beyond the open gate, half a mile out, the ribs of a wreck stand in the bay.',
    [
      ['east', 'landing', null, 'e', 'out', 'landing'],
      ['south', 'wreck', 'oar', 's', 'row', 'wreck', 'sea'],
    ],
  ),
  room(
    'wreck',
    'Wreck of the Marigold',
    'You tie up to a rib and climb aboard what is left. The deck slopes like an argument. She struck in the night, they say, a mile from a lighthouse that was not lit, and the sea has been going through her pockets ever since.',
    [['north', 'boathouse', null, 'n', 'row', 'boathouse', 'shore']],
  ),
  room(
    'causeway',
    'Causeway',
    'The rock is slippery and the sea on both sides is not in a hurry. At the end of the causeway is a door of black iron, and above it a hundred feet of white stone with no light on top.',
    [
      ['west', 'beach', null, 'w', 'beach'],
      ['east', 'stair', 'iron-key', 'e', 'in', 'door', 'lighthouse'],
    ],
  ),
  room(
    'stair',
    'Winding stair',
    'The stair goes round and round inside the tower. On the wall, at every turn, somebody has written how many steps are left, and whoever it was became more hopeful towards the top.',
    [
      ['west', 'causeway', null, 'w', 'out', 'door'],
      ['up', 'lamp-room', null, 'u'],
      ['down', 'causeway', null, 'd'],
    ],
  ),
  room(
    'lamp-room',
    'Lamp room',
    'Glass on all sides, and beyond it everything: the village, the bay, the wreck, the long grey line where ships come from. In the middle stands the great lamp, cold, its lens as tall as you are. It turns at the touch of a finger, as if it had been waiting.',
    [['down', 'stair', null, 'd']],
  ),
];
