/** The contract's rows of the game: the administrator builds a small world, and plays in it. */
import { expect } from 'vitest';
import { toGlobalId } from '../../src/shared/global-id.js';
import type { Earlier, Row } from '../contract/row.js';

const text = expect.any(String);
const some = expect.anything();
const item = (key: string) => toGlobalId('Item', key);
const bert = toGlobalId('Character', 'bert');
const hall = toGlobalId('Location', 'contract-hall');
const kitchen = toGlobalId('Location', 'contract-kitchen');
const me = ({ playerId: characterId }: Earlier) => ({ characterId });

/** A screen, of which the parts are named that matter. */
const screen = (parts: object) => ({
  id: text,
  name: 'Tim the Brave',
  class: 'ROGUE',
  intrinsics: { strength: 11, dexterity: 17, intelligence: 12, charisma: 9 },
  health: 22,
  mana: 5,
  gold: expect.any(Number),
  weight: expect.any(Number),
  weightMax: 55_000,
  mutedUntil: null,
  location: some,
  armor: [],
  weapons: [],
  inventory: expect.any(Array),
  happenings: expect.any(Array),
  ...parts,
});
const acted = (parts: object = {}) => ({ __typename: 'Character', ...screen(parts) });
const carries = (...names: string[]) => names.map((name) => expect.objectContaining({ name }));
const at = (name: string) => expect.objectContaining({ name });
const saved = (count: number) => ({ saved: count, rejected: [] });

const buildingRows: readonly Row[] = [
  {
    operation: 'SaveLocations',
    variables: {
      locations: [
        {
          key: 'contract-hall',
          name: 'Hall',
          description: 'Wide and high.',
          isStart: true,
          exits: [{ direction: 'north', aliases: ['n'], to: 'contract-kitchen', description: 'It smells of soup.' }],
        },
        {
          key: 'contract-kitchen',
          name: 'Kitchen',
          description: '',
          exits: [{ direction: 'south', aliases: ['s'], to: 'contract-hall' }],
        },
      ],
    },
    expected: { saveLocations: saved(2) },
  },
  {
    operation: 'SaveFolk',
    variables: {
      folk: [{ name: 'Bert', class: 'CLERIC', role: 'SHOPKEEPER', gold: 500, location: 'contract-hall' }],
    },
    expected: { saveFolk: saved(1) },
  },
  {
    operation: 'SaveItems',
    variables: {
      items: [
        { key: 'contract-lamp', name: 'brass lantern', weight: 1000, price: 8, place: 'contract-hall' },
        { key: 'contract-bag', name: 'backpack', kind: 'CONTAINER', weight: 500, place: 'contract-hall' },
        { key: 'contract-hat', name: "wizard's hat", kind: 'ARMOR', bonus: 3, slots: ['HEAD'], place: 'contract-hall' },
        { key: 'contract-rope', name: 'rope', price: 10, place: 'Bert' },
      ],
    },
    expected: { saveItems: saved(4) },
  },
];

const inventory = (...keys: string[]) => acted({ inventory: carries(...keys) });

const actRows: readonly Row[] = [
  {
    operation: 'CreateCharacter',
    variables: { input: { name: 'Tim the Brave', class: 'ROGUE' }, idempotencyKey: 'tim' },
    expected: { createCharacter: acted({ gold: 100, location: at('Hall') }) },
    tells: ({ createCharacter }: { createCharacter: { id: string } }) => ({ playerId: createCharacter.id }),
  },
  {
    operation: 'Characters',
    variables: {},
    expected: {
      characters: expect.arrayContaining([
        { id: text, name: 'Tim the Brave', class: 'ROGUE', location: { name: 'Hall' } },
      ]),
    },
  },
  {
    operation: 'Play',
    variables: ({ playerId: id }) => ({ id }),
    expected: {
      character: screen({
        happenings: [
          {
            number: 1,
            at: text,
            kind: 'CAME',
            text: 'You come into the world. You are here: Hall.',
            who: { id: text, name: 'Tim the Brave' },
          },
        ],
      }),
    },
  },
  {
    operation: 'PickUpItem',
    variables: (earlier) => ({ ...me(earlier), itemId: item('contract-lamp'), idempotencyKey: 'take' }),
    expected: { pickUpItem: acted({ weight: 1000, inventory: carries('brass lantern') }) },
  },
  {
    operation: 'PutItemInto',
    variables: (earlier) => ({ ...me(earlier), itemId: item('contract-lamp'), containerId: item('contract-bag') }),
    expected: { putItemInto: acted({ weight: 0, inventory: [] }) },
  },
  {
    operation: 'TakeItemOut',
    variables: (earlier) => ({ ...me(earlier), itemId: item('contract-lamp') }),
    expected: { takeItemOut: inventory('brass lantern') },
  },
  {
    operation: 'DropItem',
    variables: (earlier) => ({ ...me(earlier), itemId: item('contract-lamp') }),
    expected: { dropItem: inventory() },
  },
  {
    operation: 'SendCommand',
    variables: (earlier) => ({ ...me(earlier), text: "take the wizard's hat" }),
    expected: { sendCommand: inventory("wizard's hat") },
  },
  {
    operation: 'EquipItem',
    variables: (earlier) => ({ ...me(earlier), itemId: item('contract-hat'), slot: 'HEAD' }),
    expected: {
      equipItem: acted({ armor: [{ slot: 'HEAD', item: { id: item('contract-hat'), label: "+3 wizard's hat" } }] }),
    },
  },
  {
    operation: 'UnequipItem',
    variables: (earlier) => ({ ...me(earlier), itemId: item('contract-hat') }),
    expected: { unequipItem: acted() },
  },
  {
    operation: 'GiveItem',
    variables: (earlier) => ({ ...me(earlier), itemId: item('contract-hat'), toId: bert }),
    expected: { giveItem: inventory() },
  },
  {
    operation: 'BuyItem',
    variables: (earlier) => ({ ...me(earlier), shopkeeperId: bert, itemId: item('contract-rope') }),
    expected: { buyItem: acted({ gold: 90, inventory: carries('rope') }) },
  },
  {
    operation: 'SellItem',
    variables: (earlier) => ({ ...me(earlier), shopkeeperId: bert, itemId: item('contract-rope') }),
    expected: { sellItem: acted({ gold: 95, inventory: [] }) },
  },
  {
    operation: 'Speak',
    variables: (earlier) => ({ ...me(earlier), text: 'Hello' }),
    expected: {
      speak: {
        __typename: 'Character',
        id: text,
        happenings: expect.arrayContaining([{ number: expect.any(Number), kind: 'SAID', text: 'You say: Hello' }]),
      },
    },
  },
  {
    operation: 'RoomChanged',
    variables: me,
    expected: { roomChanged: { cursor: text, reset: false, character: screen({ location: at('Hall') }) } },
  },
  {
    operation: 'MoveCharacter',
    variables: (earlier) => ({ ...me(earlier), direction: 'north' }),
    expected: { moveCharacter: acted({ location: at('Kitchen') }) },
  },
];

const keeperRows: readonly Row[] = [
  {
    operation: 'WorldMap',
    variables: {},
    expected: {
      locations: {
        edges: expect.arrayContaining([
          {
            node: {
              id: hall,
              name: 'Hall',
              exits: [{ direction: 'north', needs: null, toId: kitchen }],
              players: [{ id: bert }],
              items: expect.arrayContaining([{ id: item('contract-bag'), label: 'backpack' }]),
            },
          },
        ]),
        pageInfo: { hasNextPage: false, endCursor: text },
      },
    },
  },
  {
    operation: 'AllCharacters',
    variables: {},
    expected: {
      allCharacters: {
        edges: expect.arrayContaining([
          {
            node: {
              id: bert,
              name: 'Bert',
              class: 'CLERIC',
              gold: 505,
              owner: null,
              location: { id: hall, name: 'Hall' },
            },
          },
        ]),
        pageInfo: { hasNextPage: false, endCursor: text },
      },
    },
  },
  {
    operation: 'WhereIs',
    variables: { itemId: item('contract-lamp') },
    expected: {
      node: {
        id: item('contract-lamp'),
        label: 'brass lantern',
        place: { __typename: 'Location', id: hall, name: 'Hall' },
      },
    },
  },
  {
    operation: 'RelocateItem',
    variables: { itemId: item('contract-lamp'), toId: bert },
    expected: { relocateItem: { id: item('contract-lamp'), place: { __typename: 'Character' } } },
  },
  {
    operation: 'RelocateCharacter',
    variables: ({ playerId: characterId }) => ({ characterId, locationId: hall }),
    expected: { relocateCharacter: { id: text, location: { id: hall, name: 'Hall' } } },
  },
  {
    operation: 'MuteCharacter',
    variables: ({ playerId: characterId }) => ({ characterId, until: '2099-01-01T00:00:00.000Z' }),
    expected: { muteCharacter: { id: text, mutedUntil: '2099-01-01T00:00:00.000Z' } },
  },
  {
    operation: 'LocationChanged',
    variables: { id: hall },
    expected: {
      locationChanged: {
        cursor: text,
        reset: false,
        location: {
          id: hall,
          name: 'Hall',
          players: expect.arrayContaining([{ id: bert, name: 'Bert', isOnline: false }]),
          items: [{ id: item('contract-bag'), label: 'backpack' }],
        },
      },
    },
  },
  {
    operation: 'CrowdsChanged',
    variables: {},
    expected: {
      crowdsChanged: {
        cursor: text,
        reset: false,
        crowds: expect.arrayContaining([{ locationId: hall, name: 'Hall', online: expect.any(Number), players: 2 }]),
      },
    },
  },
  {
    operation: 'SharedThings',
    variables: ({ myId: userId }) => ({ userId }),
    before: `mutation { publishPost(input: { text: "My hero", audience: PUBLIC, aboutId: "${toGlobalId('Character', 'tim the brave')}" }) { ... on Post { author { id } } } }`,
    beforeTells: ({ publishPost }: { publishPost: { author: { id: string } } }) => ({ myId: publishPost.author.id }),
    expected: {
      wall: {
        edges: expect.arrayContaining([
          {
            node: {
              id: text,
              text: 'My hero',
              about: {
                __typename: 'Character',
                id: toGlobalId('Character', 'tim the brave'),
                name: 'Tim the Brave',
              },
            },
          },
        ]),
      },
    },
  },
  {
    operation: 'DeleteCharacter',
    variables: ({ playerId: id }) => ({ id }),
    expected: { deleteCharacter: { __typename: 'DeletedCharacter', id: text } },
  },
];

export const gameRows: readonly Row[] = [...buildingRows, ...actRows, ...keeperRows];
