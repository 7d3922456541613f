/** Screens of characters, for tests of what the pages make of them. */
import type { Happening, Item, Screen, Somebody } from '../../../web/src/game/screen/types.js';

export const item = (id: string, more: Partial<Item> = {}): Item => ({
  id,
  name: id,
  label: id,
  description: '',
  kind: 'THING',
  bonus: 0,
  quantity: 1,
  weight: 100,
  price: null,
  isFixed: false,
  slots: [],
  slot: null,
  insideId: null,
  ...more,
});

export const somebody = (id: string, more: Partial<Somebody> = {}): Somebody => ({
  id,
  name: id,
  class: 'ROGUE',
  role: 'PERSON',
  isOnline: true,
  ...more,
});

export const happening = (number: number, more: Partial<Happening> = {}): Happening => ({
  number,
  at: '2026-01-01T10:00:00.000Z',
  kind: 'SAID',
  text: `Happening ${number}`,
  who: null,
  ...more,
});

export const exit = (direction: string, aliases: string[] = []) => ({
  direction,
  aliases,
  description: '',
  needs: null,
});

export function screenOf({
  location,
  ...more
}: Partial<Omit<Screen, 'location'>> & { location?: Partial<Screen['location']> }) {
  const screen: Screen = {
    id: 'mira',
    name: 'Mira',
    class: 'MAGE',
    role: 'PERSON',
    intrinsics: { strength: 8, dexterity: 8, intelligence: 16, charisma: 8 },
    health: 10,
    mana: 10,
    gold: 100,
    weight: 0,
    weightMax: 40_000,
    mutedUntil: null,
    inventory: [],
    happenings: [],
    location: {
      id: 'harbor',
      name: 'The harbor',
      description: 'Boats.',
      exits: [],
      players: [somebody('mira')],
      items: [],
      ...location,
    },
    ...more,
  };
  return screen;
}
