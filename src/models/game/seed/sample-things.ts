/** Who and what is in the sample world. A container stands before what is inside it. */
import { type FolkRow, type ItemRow, itemRow } from '../import/rows/world-row.js';
import { sampleKey } from './sample-rooms.js';

const folk = (name: string, kind: FolkRow['class'], at: string, shopGold?: number): FolkRow => ({
  type: 'FOLK',
  name,
  class: kind,
  role: shopGold === undefined ? 'FOLK' : 'SHOPKEEPER',
  gold: shopGold ?? 0,
  location: sampleKey(at),
});

export const sampleFolk: readonly FolkRow[] = [
  folk('Bettina Roe', 'ROGUE', 'chandlery', 400),
  folk('Widow Harrow', 'CLERIC', 'inn', 120),
  folk('Old Tam', 'WARRIOR', 'landing'),
  folk('Brother Anselm', 'CLERIC', 'chapel'),
  folk('The grey gull', 'ROGUE', 'causeway'),
];

type Fields = Partial<Omit<ItemRow, 'type' | 'key' | 'name' | 'description' | 'place'>>;

const at = (place: string, key: string, name: string, description: string, fields: Fields = {}): ItemRow =>
  itemRow({ key: sampleKey(key), name, description, place: { key: sampleKey(place) }, ...fields });
const of = (carriedBy: string, key: string, name: string, description: string, fields: Fields = {}): ItemRow =>
  itemRow({ key: sampleKey(key), name, description, place: { carriedBy }, ...fields });

const ROE = 'Bettina Roe';
const HARROW = 'Widow Harrow';
const FIXED = { isFixed: true } as const;
const CONTAINER = { kind: 'CONTAINER' } as const;

export const sampleItems: readonly ItemRow[] = [
  at(
    'landing',
    'notice',
    'notice',
    'WANTED: a person of good knees to climb the lighthouse and find out why it is dark. The keeper has not been seen since the Marigold went down. Ask for the key at – and here the rain has eaten the paper. Below, in another hand: “She had it with her when she sailed.”',
    FIXED,
  ),
  at(
    'square',
    'fountain',
    'dry fountain',
    'The stone fish has a coin in its mouth. No, it has the idea of a coin in its mouth: there is a slot of the right size.',
    { ...FIXED, ...CONTAINER },
  ),
  at('fountain', 'lucky-penny', 'lucky penny', 'Worn smooth by thumbs. The date may be any date.', {
    weight: 5,
    price: 2,
  }),
  at(
    'inn',
    'fireplace',
    'fireplace',
    'Someone has scratched tally marks into the mantel: forty-one nights without the light.',
    FIXED,
  ),
  of(HARROW, 'fish-pie', 'fish pie', 'Stargazy pie: seven small heads look up through the crust with mild surprise.', {
    weight: 600,
    price: 4,
  }),
  of(HARROW, 'mead', 'bottle of mead', 'The label shows a bee wearing an eye patch.', { weight: 900, price: 6 }),
  of(
    HARROW,
    'deck-of-cards',
    'deck of cards',
    'Fifty-one cards. The queen of cups went out one night and did not come back.',
    { weight: 90, price: 3 },
  ),
  at(
    'cellar',
    'barrel',
    'barrel',
    'It says SALTED HERRING, which explains nothing about the sound it makes when it is moved.',
    { ...FIXED, ...CONTAINER },
  ),
  at('barrel', 'rum', 'flask of rum', 'Older than the inn, and better kept.', { weight: 500, price: 12 }),
  at(
    'barrel',
    'crowbar',
    'crowbar',
    'An arm’s length of honest iron. It fits the gaps between planks as if they had been introduced.',
    {
      kind: 'WEAPON',
      slots: ['RIGHT_HAND', 'LEFT_HAND'],
      weight: 2500,
      price: 10,
    },
  ),
  of(ROE, 'lantern', 'brass lantern', 'It gives a warm, round light, and a faint smell of other people’s adventures.', {
    weight: 1200,
    price: 35,
  }),
  of(ROE, 'oilskin', 'oilskin coat', 'Yellow, stiff, and proof against anything but mockery.', {
    kind: 'ARMOR',
    slots: ['BODY'],
    weight: 1800,
    price: 25,
  }),
  of(ROE, 'sea-boots', 'pair of sea boots', 'One squeaks.', {
    kind: 'ARMOR',
    slots: ['FEET'],
    weight: 1500,
    price: 18,
  }),
  of(ROE, 'mittens', 'pair of mittens', 'Knitted by someone who had never been shown a hand, only told of it.', {
    kind: 'ARMOR',
    slots: ['HANDS'],
    weight: 150,
    price: 5,
  }),
  of(
    ROE,
    'boat-hook',
    'boat hook',
    'Eight feet of ash with a bronze beak. It takes both hands, and some care indoors.',
    { kind: 'WEAPON', slots: ['BOTH_HANDS'], weight: 3000, price: 20 },
  ),
  of(ROE, 'sack', 'canvas sack', 'Roomy. It has been patched with a piece of a flag that nobody recognizes.', {
    ...CONTAINER,
    weight: 400,
    price: 8,
  }),
  of(ROE, 'candles', 'tallow candles', 'Six of them, tied with a bit of string.', {
    quantity: 6,
    weight: 480,
    price: 3,
  }),
  at('chapel', 'font', 'font', 'The water is salt. Nobody brings it; it comes by itself, with the tide.', FIXED),
  at(
    'crypt',
    'nameless-slab',
    'nameless slab',
    'The stone is still pale from the chisel. Somebody was sure of the day, and hoped to be wrong about the person.',
    FIXED,
  ),
  at(
    'crypt',
    'silver-gorget',
    'silver gorget',
    'A captain’s collar, engraved with nine waves. The ninth is larger than the others and has a face.',
    { kind: 'ARMOR', slots: ['BODY'], bonus: 1, weight: 700, price: 90 },
  ),
  at(
    'cottage',
    'biscuit-tin',
    'biscuit tin',
    'On the lid, a lighthouse in a storm. It has been opened often, and always closed again.',
    { ...CONTAINER, weight: 300 },
  ),
  at('biscuit-tin', 'boathouse-key', 'small brass key', 'A paper tag says “Patience”. It may be advice.', {
    weight: 20,
  }),
  at('biscuit-tin', 'biscuit', 'last biscuit', 'Even the mice have left it, out of respect.', { weight: 30 }),
  at(
    'cottage',
    'letter',
    'unfinished letter',
    '“Dear Tam, the oil has not come for three weeks, and the Marigold is bringing it tonight. I will row out to meet her, since someone must show her the way. I have hidden the oar where the rabbits” – and there it stops.',
    { weight: 10 },
  ),
  at(
    'dunes',
    'oar',
    'oar',
    'It was buried upright, blade down, under a whistling tussock. The rabbits had begun to carve it.',
    {
      kind: 'WEAPON',
      slots: ['BOTH_HANDS'],
      weight: 2800,
      price: 6,
    },
  ),
  at(
    'beach',
    'bottle',
    'green bottle',
    'There is a message inside: “If you can read this, you have broken a perfectly good bottle.” You have not. You can read it through the glass.',
    { weight: 350, price: 1 },
  ),
  at('cave', 'smugglers-chest', "smugglers' chest", 'Too heavy to move, and too proud to be locked.', {
    ...FIXED,
    ...CONTAINER,
  }),
  at('smugglers-chest', 'silver-coins', 'old silver coins', 'Kings with big noses, in no particular order.', {
    quantity: 40,
    weight: 240,
    price: 60,
  }),
  at('smugglers-chest', 'cutlass', 'cutlass', 'Short, curved, and in a bad mood.', {
    kind: 'WEAPON',
    slots: ['RIGHT_HAND', 'LEFT_HAND'],
    bonus: 2,
    weight: 1100,
    price: 70,
  }),
  at(
    'wreck',
    'sea-chest',
    "keeper's sea chest",
    'The initials on the lid are those of the biscuit tin: E. M., in the same patient hand.',
    { ...FIXED, ...CONTAINER },
  ),
  at('sea-chest', 'iron-key', 'iron key', 'As long as your hand. On the bow, in small letters: LIGHT.', {
    weight: 250,
  }),
  at('sea-chest', 'sextant', 'brass sextant', 'It knows where you are. It is only waiting to be asked.', {
    weight: 1400,
    price: 110,
  }),
  at(
    'sea-chest',
    'log',
    'log of the Marigold',
    'The last entry is not in the captain’s writing. “All hands saved, in two boats, gone north with the tide. I stay for the oil. If the key is found: the light needs no oil. I have known it for years. It only needs company. E. M.”',
    { weight: 800 },
  ),
  at(
    'lamp-room',
    'great-lamp',
    'great lamp',
    'As you bend over the lens, something at the heart of it bends towards you, and begins, very faintly, to shine.',
    FIXED,
  ),
  at(
    'lamp-room',
    'keepers-hat',
    "keeper's hat",
    'It has been brushed, and left where whoever came up here would find it. It fits. It was always going to.',
    { kind: 'ARMOR', slots: ['HEAD'], bonus: 3, weight: 200, price: 250 },
  ),
];
