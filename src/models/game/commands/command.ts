/** The commands that can be typed: the grammar, which clients also use for completion. */

export type CommandPart =
  | 'ITEM_IN_ROOM'
  | 'ITEM_CARRIED'
  | 'ITEM_TO_SELL'
  | 'ITEM_INSIDE'
  | 'ITEM_SEEN'
  | 'ITEM_FOR_SALE'
  | 'CONTAINER'
  | 'SOMEBODY'
  | 'SHOPKEEPER'
  | 'DIRECTION'
  | 'TEXT';

export interface CommandWord {
  readonly part: CommandPart;
  /** One of these words stands before it. Empty if none is needed. */
  readonly after: readonly string[];
  readonly isOptional: boolean;
}

/** What a command does. */
export type CommandAct =
  | 'TAKE'
  | 'TAKE_OUT'
  | 'DROP'
  | 'PUT'
  | 'GIVE'
  | 'WEAR'
  | 'WIELD'
  | 'REMOVE'
  | 'GO'
  | 'LOOK'
  | 'LOOK_AT'
  | 'INVENTORY'
  | 'SAY'
  | 'TELL'
  | 'BUY'
  | 'SELL';

export interface Command {
  readonly act: CommandAct;
  readonly verb: string;
  readonly aliases: readonly string[];
  readonly parts: readonly CommandWord[];
  readonly description: string;
  readonly example: string;
}

const word = (part: CommandPart, ...after: string[]): CommandWord => ({ part, after, isOptional: false });
const optional = (part: CommandPart, ...after: string[]): CommandWord => ({ part, after, isOptional: true });

/**
 * In the order in which they are shown. Of commands with the same verb the first one that fits is meant, so those with more parts stand
 * before those with fewer.
 */
export const commands: readonly Command[] = [
  {
    act: 'LOOK_AT',
    verb: 'look',
    aliases: ['look at', 'look in', 'l', 'l at', 'l in', 'examine', 'x', 'read'],
    parts: [word('ITEM_SEEN')],
    description: 'Looks closely at an item, or at somebody.',
    example: 'look at the lantern',
  },
  {
    act: 'LOOK',
    verb: 'look',
    aliases: ['l', 'look around'],
    parts: [],
    description: 'Looks around.',
    example: 'look',
  },
  {
    act: 'GO',
    verb: 'go',
    aliases: ['go to', 'walk', 'run', 'move'],
    parts: [word('DIRECTION')],
    description: 'Goes through an exit. The direction alone is enough.',
    example: 'go north',
  },
  {
    act: 'TAKE_OUT',
    verb: 'take',
    aliases: ['get', 'remove'],
    parts: [word('ITEM_INSIDE'), word('CONTAINER', 'out of', 'from')],
    description: 'Takes an item out of a container.',
    example: 'take the scroll out of the backpack',
  },
  {
    act: 'TAKE',
    verb: 'take',
    aliases: ['get', 'pick up', 'grab'],
    parts: [word('ITEM_IN_ROOM')],
    description: 'Picks up an item in the room.',
    example: 'take the lantern',
  },
  {
    act: 'DROP',
    verb: 'drop',
    aliases: ['put down', 'leave'],
    parts: [word('ITEM_CARRIED')],
    description: 'Puts an item down in the room.',
    example: 'drop the lantern',
  },
  {
    act: 'PUT',
    verb: 'put',
    aliases: ['place', 'insert'],
    parts: [word('ITEM_CARRIED'), word('CONTAINER', 'into', 'in', 'inside')],
    description: 'Puts an item into a container.',
    example: 'put the scroll into the backpack',
  },
  {
    act: 'GIVE',
    verb: 'give',
    aliases: ['hand'],
    parts: [word('ITEM_CARRIED'), word('SOMEBODY', 'to')],
    description: 'Gives an item to somebody in the room.',
    example: 'give the lantern to Ann',
  },
  {
    act: 'WEAR',
    verb: 'wear',
    aliases: ['put on', 'don'],
    parts: [word('ITEM_CARRIED')],
    description: 'Puts on armor.',
    example: 'wear the hat',
  },
  {
    act: 'WIELD',
    verb: 'wield',
    aliases: ['hold'],
    parts: [word('ITEM_CARRIED')],
    description: 'Takes a weapon into a free hand.',
    example: 'wield the sword',
  },
  {
    act: 'REMOVE',
    verb: 'remove',
    aliases: ['take off', 'unwield', 'put away'],
    parts: [word('ITEM_CARRIED')],
    description: 'Takes off armor, or puts a weapon away.',
    example: 'remove the hat',
  },
  {
    act: 'BUY',
    verb: 'buy',
    aliases: ['purchase'],
    parts: [word('ITEM_FOR_SALE'), optional('SHOPKEEPER', 'from', 'of')],
    description: 'Buys an item from a shopkeeper in the room.',
    example: 'buy the rope from Bert',
  },
  {
    act: 'SELL',
    verb: 'sell',
    aliases: [],
    parts: [word('ITEM_TO_SELL'), optional('SHOPKEEPER', 'to')],
    description: 'Sells an item to a shopkeeper in the room, for half its price.',
    example: 'sell the rope to Bert',
  },
  {
    act: 'TELL',
    verb: 'tell',
    aliases: ['whisper to', 'whisper', 'say to', 'speak to'],
    parts: [word('SOMEBODY'), word('TEXT')],
    description: 'Says something to one character alone.',
    example: 'tell Ann the door is open',
  },
  {
    act: 'SAY',
    verb: 'say',
    aliases: ['speak', 'shout'],
    parts: [word('TEXT')],
    description: 'Says something to everybody in the room.',
    example: 'say hello',
  },
  {
    act: 'INVENTORY',
    verb: 'inventory',
    aliases: ['i', 'inv'],
    parts: [],
    description: 'Names what the character carries.',
    example: 'inventory',
  },
];

/** Short forms of directions, besides the aliases of the exits. */
export const directionWords: ReadonlyMap<string, string> = new Map([
  ['n', 'north'],
  ['e', 'east'],
  ['s', 'south'],
  ['w', 'west'],
  ['ne', 'northeast'],
  ['nw', 'northwest'],
  ['se', 'southeast'],
  ['sw', 'southwest'],
  ['u', 'up'],
  ['d', 'down'],
]);

export const helpWords: ReadonlySet<string> = new Set(['help', '?']);

const alone: ReadonlySet<string> = new Set([
  ...helpWords,
  ...commands.filter(({ parts }) => parts.length === 0).map(({ verb }) => verb),
]);

/** Whether an exit of this name could not be typed, or would hide a command. It may hide a short form: worlds have exits `i` and `l`. */
export const isWholeCommand = (text: string): boolean => alone.has(text) || /^["'“]/.test(text);
