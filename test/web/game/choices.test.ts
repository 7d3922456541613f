/** What a character can do with what it sees. */
import { describe, expect, it } from 'vitest';
import { choicesForItem } from '../../../web/src/game/screen/choices.js';
import type { Item } from '../../../web/src/game/screen/types.js';
import { item, screenOf, somebody } from './screens.js';

const bag = item('bag', { kind: 'CONTAINER' });
const purse = item('purse', { kind: 'CONTAINER', insideId: 'bag' });
const hat = item('hat', { kind: 'ARMOR', slots: ['HEAD'], price: 25 });
const lamp = item('lamp');
const bell = item('bell', { isFixed: true });
const coin = item('coin', { insideId: 'chest' });
const chest = item('chest', { kind: 'CONTAINER', isFixed: true });
const keeper = somebody('greta', { name: 'Greta', role: 'SHOPKEEPER' });
const screen = screenOf({
  inventory: [bag, purse, hat],
  location: { items: [lamp, bell, chest, coin], players: [somebody('mira'), keeper] },
});
const words = (one: Item) => choicesForItem(screen, one).map((choice) => choice.words);

describe('the choices for an item', () => {
  it('depend on where it is', () => {
    expect(words(lamp)).toEqual(['Take', 'Look at it']);
    expect(words(bell)).toEqual(['Look at it']);
    expect(words(coin)).toEqual(['Take out', 'Look at it']);
  });

  it('of what is carried are wearing, dropping, putting, giving and selling', () => {
    expect(words(hat)).toEqual([
      'Wear on the head',
      'Drop',
      'Put into bag',
      'Put into purse',
      'Put into chest',
      'Give to Greta',
      'Sell to Greta for 12 gold',
      'Look at it',
    ]);
  });

  it('put no container into itself or into what is inside it', () => {
    expect(words(bag)).not.toContain('Put into bag');
    expect(words(bag)).not.toContain('Put into purse');
    expect(words(bag)).toContain('Put into chest');
  });

  it('take off what is worn', () => {
    const worn = choicesForItem(screen, { ...hat, slot: 'HEAD' });
    expect(worn[0]).toMatchObject({ words: 'Take off', act: { do: 'unequip', itemId: 'hat' } });
  });
});
