/** The pages of the game with long content. */
import type { Product } from '../../../harness/product.js';
import { ask, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';

const NAME = LONG.slice(0, 30).replace('ä', 'a');
/** As `toGlobalId` makes it of a character's name. */
const CHARACTER = Buffer.from(`Character:${NAME.toLowerCase()}`).toString('base64url');

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [
    ['/game', '/game', LONG.slice(0, 40)],
    ['/game/characters', '/game/characters', 'New character'],
    ['/game/characters/:id', `/game/characters/${CHARACTER}`, `Play ${NAME}`],
    ['/game/world', '/game/world?room=narrow', 'Here now'],
    ['/game/items', '/game/items', 'not for sale'],
    ['/game/folk', '/game/folk', 'Inhabitants'],
    ['/game/files', '/game/files', 'Export this world'],
  ],
};

async function fill(product: Product): Promise<void> {
  const [text, direction] = [`${LONG}${LONG}`, LONG.slice(0, 30)];
  await ask(product, 'mutation ($l: [LocationInput!]!) { saveLocations(locations: $l) { saved } }', {
    l: [
      {
        key: 'narrow',
        name: LONG,
        description: text,
        isStart: true,
        exits: [{ direction, aliases: [], description: text, to: 'narrow' }],
      },
    ],
  });
  await ask(product, 'mutation ($f: [FolkInput!]!) { saveFolk(folk: $f) { saved } }', {
    f: [{ name: `S${NAME.slice(1)}`, class: 'CLERIC', role: 'SHOPKEEPER', gold: 1_000_000, location: 'narrow' }],
  });
  await ask(product, 'mutation ($i: [ItemInput!]!) { saveItems(items: $i) { saved } }', {
    i: [{ key: 'narrow-item', name: LONG, description: text, place: 'narrow' }],
  });
  await ask(product, 'mutation ($i: CharacterInput!) { createCharacter(input: $i) { __typename } }', {
    i: { name: NAME, class: 'MAGE' },
  });
}
