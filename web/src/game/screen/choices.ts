/** What a character can do with a thing or with somebody on its screen. */
import type { Slot } from '../../../generated/graphql.js';
import type { Act } from './act.js';
import type { Exit, Item, Screen, Somebody } from './types.js';

export interface Choice {
  /** On its button. */
  readonly words: string;
  /** Shown in the terminal as if it had been typed. */
  readonly typed: string;
  readonly act: Act;
}

export const slotWords: Readonly<Record<Slot, string>> = {
  HEAD: 'head',
  HANDS: 'hands',
  FEET: 'feet',
  BODY: 'body',
  LEFT_HAND: 'left hand',
  RIGHT_HAND: 'right hand',
  BOTH_HANDS: 'both hands',
};

export const inHands: readonly Slot[] = ['LEFT_HAND', 'RIGHT_HAND', 'BOTH_HANDS'];

/** What a shopkeeper pays. */
export const resalePrice = (price: number): number => Math.floor(price / 2);

export const isCarried = ({ inventory }: Screen, { id }: Item): boolean => inventory.some((item) => item.id === id);

export const goThrough = ({ direction }: Pick<Exit, 'direction'>): Choice => ({
  words: direction,
  typed: `go ${direction}`,
  act: { do: 'move', direction },
});

export const lookAround: Choice = { words: 'Look around', typed: 'look', act: { do: 'look', atId: null } };

/** The most useful one first. */
export function choicesForItem(screen: Screen, item: Item): readonly Choice[] {
  const { id: itemId, name, insideId } = item;
  const look: Choice = { words: 'Look at it', typed: `look at ${name}`, act: { do: 'look', atId: itemId } };
  const out: Choice = { words: 'Take out', typed: `take ${name} out`, act: { do: 'takeOut', itemId } };
  if (isCarried(screen, item)) {
    const drop: Choice = { words: 'Drop', typed: `drop ${name}`, act: { do: 'drop', itemId } };
    return [
      ...(insideId === null ? wearing(item) : [out]),
      drop,
      ...puttings(screen, item),
      ...givings(screen, item),
      ...sales(screen, item),
      look,
    ];
  }
  if (item.isFixed) return [look];
  if (insideId !== null) return [out, look];
  return [{ words: 'Take', typed: `take ${name}`, act: { do: 'take', itemId } }, look];
}

function wearing({ id: itemId, name, slot, slots, kind }: Item): readonly Choice[] {
  const isWeapon = kind === 'WEAPON';
  if (slot !== null) {
    const words = isWeapon ? 'Put away' : 'Take off';
    return [{ words, typed: `${words.toLowerCase()} ${name}`, act: { do: 'unequip', itemId } }];
  }
  return slots.map((each) => {
    const place = slotWords[each];
    const words = isWeapon ? `Wield in ${each === 'BOTH_HANDS' ? '' : 'the '}${place}` : `Wear on the ${place}`;
    const typed = isWeapon ? `wield ${name} in ${place}` : `wear ${name} on ${place}`;
    return { words, typed, act: { do: 'equip', itemId, slot: each } };
  });
}

function puttings(screen: Screen, item: Item): readonly Choice[] {
  const all = [...screen.inventory, ...screen.location.items];
  const isInside = (container: Item): boolean => {
    const outer = all.find(({ id }) => id === container.insideId);
    return container.id === item.id || (outer !== undefined && isInside(outer));
  };
  return all
    .filter((other) => other.kind === 'CONTAINER' && other.id !== item.insideId && !isInside(other))
    .map(({ id: containerId, name }) => ({
      words: `Put into ${name}`,
      typed: `put ${item.name} into ${name}`,
      act: { do: 'putInto', itemId: item.id, containerId },
    }));
}

const others = ({ id, location }: Screen): readonly Somebody[] => location.players.filter((player) => player.id !== id);

const givings = (screen: Screen, { id: itemId, name }: Item): readonly Choice[] =>
  others(screen).map((to) => ({
    words: `Give to ${to.name}`,
    typed: `give ${name} to ${to.name}`,
    act: { do: 'give', itemId, toId: to.id },
  }));

function sales(screen: Screen, { id: itemId, name, price }: Item): readonly Choice[] {
  if (price === null || price === undefined) return [];
  return others(screen)
    .filter(({ role }) => role === 'SHOPKEEPER')
    .map((keeper) => ({
      words: `Sell to ${keeper.name} for ${resalePrice(price)} gold`,
      typed: `sell ${name} to ${keeper.name}`,
      act: { do: 'sell', itemId, shopkeeperId: keeper.id },
    }));
}

export const lookAtSomebody = ({ id, name }: Somebody): Choice => ({
  words: `Look at ${name}`,
  typed: `look at ${name}`,
  act: { do: 'look', atId: id },
});

export const buy = (keeper: Somebody, { id: itemId, name, price }: Item): Choice => ({
  words: `Buy for ${price ?? 0} gold`,
  typed: `buy ${name} from ${keeper.name}`,
  act: { do: 'buy', itemId, shopkeeperId: keeper.id },
});
