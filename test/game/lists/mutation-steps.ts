/** The mutations of the game. Each step needs the previous ones. */
import { toGlobalId } from '../../../src/shared/global-id.js';
import type { MutationStep } from '../../support/domain/mutation-step.js';

const item = (key: string) => `"${toGlobalId('Item', key)}"`;
const bert = `"${toGlobalId('Character', 'bert')}"`;
const kitchen = `"${toGlobalId('Location', 'steps-kitchen')}"`;

/** An act of the character. */
const act = (mutation: string, text = ''): MutationStep => ({
  mutation,
  text: ({ player }) => `(characterId: "${player}"${text && `, ${text}`}) { __typename }`,
});

export const mutationSteps: readonly MutationStep[] = [
  {
    mutation: 'saveLocations',
    text: () =>
      '(locations: [{ key: "steps-hall", name: "Hall", description: "", isStart: true, exits: [{ direction: "north", to: "steps-kitchen" }] }, { key: "steps-kitchen", name: "Kitchen", description: "", exits: [{ direction: "south", to: "steps-hall" }] }]) { saved }',
  },
  {
    mutation: 'saveFolk',
    text: () =>
      '(folk: [{ name: "Bert", class: CLERIC, role: SHOPKEEPER, gold: 100, location: "steps-hall" }]) { saved }',
  },
  {
    mutation: 'saveItems',
    text: () =>
      '(items: [{ key: "steps-lamp", name: "lamp", place: "steps-hall", price: 4 }, { key: "steps-bag", name: "bag", kind: CONTAINER, place: "steps-hall" }, { key: "steps-hat", name: "hat", kind: ARMOR, slots: [HEAD], place: "steps-hall" }, { key: "steps-rope", name: "rope", price: 10, place: "Bert" }]) { saved }',
  },
  {
    mutation: 'createCharacter',
    text: () => '(input: { name: "Stepper", class: ROGUE }) { ... on Character { id } }',
    tells: ({ id }) => ({ player: String(id) }),
  },
  act('pickUpItem', `itemId: ${item('steps-lamp')}`),
  act('putItemInto', `itemId: ${item('steps-lamp')}, containerId: ${item('steps-bag')}`),
  act('takeItemOut', `itemId: ${item('steps-lamp')}`),
  act('sendCommand', 'text: "take the hat"'),
  act('equipItem', `itemId: ${item('steps-hat')}, slot: HEAD`),
  act('unequipItem', `itemId: ${item('steps-hat')}`),
  act('giveItem', `itemId: ${item('steps-hat')}, toId: ${bert}`),
  act('buyItem', `shopkeeperId: ${bert}, itemId: ${item('steps-rope')}`),
  act('sellItem', `shopkeeperId: ${bert}, itemId: ${item('steps-rope')}`),
  act('dropItem', `itemId: ${item('steps-lamp')}`),
  act('look'),
  act('speak', 'text: "Hello"'),
  act('moveCharacter', 'direction: "north"'),
  {
    mutation: 'relocateItem',
    text: () => `(itemId: ${item('steps-lamp')}, toId: ${kitchen}) { id }`,
  },
  {
    mutation: 'relocateCharacter',
    text: () => `(characterId: ${bert}, locationId: ${kitchen}) { id }`,
  },
  { mutation: 'muteCharacter', text: () => `(characterId: ${bert}, until: "2099-01-01T00:00:00Z") { id }` },
  { mutation: 'exportWorld', text: () => '{ id }' },
  { mutation: 'deleteCharacter', text: ({ player }) => `(id: "${player}") { __typename }` },
];
