/** What an import of a world stores: locations, folk and items, and why a row of a file is none. `docs/game-import.md` describes them. */
import { RowError as RowErrorOfAnyReason } from '../../../system/work/rows/row-error.js';
import type { Fields } from '../../../system/work/rows/row-fields.js';
import type { ItemKind, Slot } from '../../world/item-entry.js';
import type { CharacterClass } from '../../world/player.js';

export interface ExitRow {
  readonly direction: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** The key of an item. */
  readonly needs: string | null;
  /** The key of a location. */
  readonly to: string;
}

export interface LocationRow {
  readonly type: 'LOCATION';
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly exits: readonly ExitRow[];
  readonly isStart: boolean;
}

export interface FolkRow {
  readonly type: 'FOLK';
  readonly name: string;
  readonly class: CharacterClass;
  readonly role: 'SHOPKEEPER' | 'FOLK';
  readonly gold: number;
  /** The key of a location. */
  readonly location: string;
}

export interface ItemRow {
  readonly type: 'ITEM';
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly kind: ItemKind;
  readonly bonus: number;
  readonly quantity: number;
  /** In grams. */
  readonly weight: number;
  readonly price: number | null;
  readonly isFixed: boolean;
  readonly slots: readonly Slot[];
  /** Where it is: the key of a location or a container, or the name of somebody of the world. */
  readonly place: { readonly key: string } | { readonly carriedBy: string };
}

export type WorldRow = LocationRow | FolkRow | ItemRow;

/** A line of a file, or a part of a line. */
export interface Source {
  /** Starting at 1. */
  readonly line: number;
  /** As it is shown to whoever looks for what is wrong with it. */
  readonly raw: string;
}

/** A line that is an object. */
export interface ReadLine extends Source {
  readonly fields: Fields;
}

/** What a file has, in its order: something to store, or something that this world cannot have. */
export type SourceRow = Source &
  ({ readonly row: WorldRow } | { readonly reason: RejectReason; readonly field: string | null });

/** Why a row is not stored, or not all of it, in words. */
export const rejectReasons = {
  NOT_JSON: 'The line is not a JSON object',
  NOT_UTF8: 'The line is not UTF-8',
  TOO_LONG: 'The row is too long',
  NO_KIND: 'The row is none of the kinds that this format has',
  INVALID_FIELD: 'The field is missing, or not of the right type',
  INVALID_KEY: 'The key does not have 1 to 64 letters, digits and the characters ._:-, including the prefix',
  INVALID_TEXT: 'The text is missing, too long, or has hidden characters',
  INVALID_NAME: 'The name does not have 2 to 30 letters, digits, spaces, hyphens and apostrophes, a letter first',
  INVALID_NUMBER: 'The number is too small or too large',
  INVALID_SLOTS: 'Armor is worn on the body, weapons are wielded in hands, and nothing else is',
  INVALID_EXITS: 'There are more than 50 exits, more than 20 words for one, or the same word for two',
  USED_TWICE: 'An earlier row of the file has this id, key or name',
  BY_CHANCE: 'Exits do not work by chance here',
  BY_STATE: 'Exits do not depend on the state of things or creatures here',
  BY_CARRYING: 'Exits do not lead elsewhere for whoever carries something: only the one that is always open is kept',
  SAYS_SOMETHING: 'It leads nowhere, it only says something',
  BY_PROGRAM: 'What it does is in the program of its game, not in the file',
  NOT_REACHED: 'Earlier exits have all of its words',
  ENDS_THE_GAME: 'It ends the game, which has no end here',
  LOCKED: 'It is locked, and nothing opens it',
  LOCKED_CONTAINER: 'Containers have no locks here: it is open',
  NO_NAME: 'It has neither a name nor a text',
  NOWHERE: 'It is nowhere when the game begins',
  OTHER_CURRENCY: 'The price is not in gold',
  UNKNOWN_LOCATION: 'There is no location with this key, neither in the file nor in the world',
  UNKNOWN_ITEM: 'There is no item with this key, neither in the file nor in the world',
  UNKNOWN_FOLK: 'There is nobody with this id in the file',
  UNKNOWN_PLACE: 'There is no location and no container with this key, and nobody of the world with this name',
  NO_ROOM: 'The place is full, or cannot hold it, or whoever would carry it is too weak',
  NOT_OF_THE_WORLD: 'The room is full, or somebody who does not belong to the world has this name',
} as const;

export type RejectReason = keyof typeof rejectReasons;

/** A row that cannot be stored, for one of these reasons. */
export const RowError = RowErrorOfAnyReason as typeof RowErrorOfAnyReason<RejectReason>;
export type RowError = RowErrorOfAnyReason<RejectReason>;

export const stored = ({ line, raw }: Source, row: WorldRow): SourceRow => ({ line, raw, row });
export const refused = (
  { line, raw }: Source,
  reason: RejectReason,
  field: string | null = null,
  part?: unknown,
): SourceRow => ({ line, raw: part === undefined ? raw : JSON.stringify(part), reason, field });

const THING = {
  description: '',
  kind: 'THING',
  bonus: 0,
  quantity: 1,
  weight: 0,
  price: null,
  isFixed: false,
  slots: [],
} as const satisfies Partial<ItemRow>;

/** An item with the defaults of `saveItems`. */
export const itemRow = (item: Pick<ItemRow, 'key' | 'name' | 'place'> & Partial<ItemRow>): ItemRow => ({
  type: 'ITEM',
  ...THING,
  ...item,
});
