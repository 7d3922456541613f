/** The texts in the mutations of the game. */
import { type Call, call, type TextPlaces } from '../../support/domain/text-places.js';

/** A call that saves many says of each why it was rejected. */
const save = (mutation: string, argument: string, type: string, v: object): Call => ({
  query: `mutation($v: ${type}!) { ${mutation}(${argument}: [$v]) { saved rejected { message } } }`,
  variables: { v },
});
const location = (fields: object) =>
  save('saveLocations', 'locations', 'LocationInput', { key: 'texts', name: 'Texts', description: '', ...fields });
const exit = (fields: object) => location({ exits: [{ direction: 'north', to: 'texts', ...fields }] });

export const textPlaces: TextPlaces = {
  names: {
    'CharacterInput.name': (name) => call('createCharacter(input: $v)', 'CharacterInput!', { name, class: 'MAGE' }),
    'LocationInput.name': (name) => location({ name }),
    'ExitInput.direction': (direction) => exit({ direction }),
    'ExitInput.aliases': (alias) => exit({ aliases: [alias] }),
    'ItemInput.name': (name) => save('saveItems', 'items', 'ItemInput', { key: 'texts', name, place: 'none' }),
    'FolkInput.name': (name) => save('saveFolk', 'folk', 'FolkInput', { name, class: 'MAGE', location: 'none' }),
    'speak.text': (text) => call('speak(characterId: "none", text: $v)', 'String!', text),
  },
  others: [
    'LocationInput.key',
    'LocationInput.description', // several lines, in any language
    'LocationBefore.name', // compared with what is stored
    'LocationBefore.description',
    'ExitInput.description',
    'ExitInput.needs',
    'ExitInput.to',
    'ItemInput.key',
    'ItemInput.description',
    'ItemInput.place',
    'FolkInput.location',
    'moveCharacter.direction', // compared with those of the exits
    'sendCommand.text', // parsed; what is said is checked as `speak.text`
    'ImportWorldInput.prefix',
  ],
};
