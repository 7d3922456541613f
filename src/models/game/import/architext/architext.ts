/** Worlds of Architext: one JSON document with rooms, items and exits. Commands of their own are programs, which are refused. */
import { z } from 'zod';
import { keyFrom, nameFrom } from '../rows/foreign-text.js';
import { type ExitRow, itemRow, refused, type SourceRow, stored } from '../rows/world-row.js';
import { linesOf } from './json-lines.js';

const text = z.string().nullish();
const scripts = z.array(z.unknown()).nullish();
const itemShape = z.object({ name: z.string(), description: text, visible: text, custom_verbs: scripts });
const roomShape = z.object({
  alias: z.string(),
  name: z.string(),
  description: text,
  items: z.array(z.unknown()).nullish(),
  custom_verbs: scripts,
});
const exitShape = z.object({
  name: z.string(),
  description: text,
  room: z.string(),
  destination: z.string(),
  is_open: z.boolean().nullish(),
  key_names: z.array(z.string()).nullish(),
});
const worldShape = z.object({
  starting_room: z.unknown(),
  other_rooms: z.array(z.unknown()).nullish(),
  exits: z.array(z.unknown()).nullish(),
  saved_items: z.array(z.unknown()).nullish(),
  inventory: z.array(z.unknown()).nullish(),
  custom_verbs: scripts,
});
type Exit = z.infer<typeof exitShape>;

/** @returns null if the text is no such world */
export function convertArchitext(json: string): SourceRow[] | null {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    return null;
  }
  const read = worldShape.safeParse(document);
  if (!read.success || read.data.starting_room === undefined) return null;
  return new World(read.data, linesOf(json)).rows();
}

const keyOfRoom = (alias: string): string => keyFrom(`room-${alias}`);

class World {
  readonly #rows: SourceRow[] = [];
  /** The key of the first item that can be carried, by its name. */
  readonly #keyOfItem = new Map<string, string>();
  readonly #rooms: readonly { readonly path: string; readonly value: unknown }[];
  readonly #exitsOf = new Map<string, { readonly index: number; readonly exit: Exit }[]>();

  constructor(
    private readonly world: z.infer<typeof worldShape>,
    private readonly lines: ReadonlyMap<string, number>,
  ) {
    this.#rooms = [
      { path: 'starting_room', value: world.starting_room },
      ...(world.other_rooms ?? []).map((value, index) => ({ path: `other_rooms.${index}`, value })),
    ];
    for (const { value } of this.#rooms)
      for (const [index, item] of (roomShape.safeParse(value).data?.items ?? []).entries())
        this.#noteItem(value, index, item);
    for (const [index, value] of (world.exits ?? []).entries()) {
      const exit = exitShape.safeParse(value).data;
      if (exit) this.#exitsOf.set(exit.room, [...(this.#exitsOf.get(exit.room) ?? []), { index, exit }]);
    }
  }

  rows(): SourceRow[] {
    const known = new Set(this.#rooms.map(({ value }) => roomShape.safeParse(value).data?.alias));
    const seen = new Set<string>();
    for (const [index, { path, value }] of this.#rooms.entries()) this.#addRoom(path, value, index === 0, known, seen);
    for (const [index, value] of (this.world.exits ?? []).entries()) {
      const exit = exitShape.safeParse(value).data;
      if (!exit) this.#refuse(`exits.${index}`, value, 'INVALID_FIELD');
      else if (!known.has(exit.room)) this.#refuse(`exits.${index}`, value, 'UNKNOWN_LOCATION', 'room');
    }
    for (const name of ['saved_items', 'inventory'] as const)
      for (const [index, value] of (this.world[name] ?? []).entries())
        this.#refuse(`${name}.${index}`, value, 'NOWHERE');
    this.#refuseScripts('custom_verbs', this.world.custom_verbs);
    return this.#rows;
  }

  #addRoom(
    path: string,
    value: unknown,
    isStart: boolean,
    known: ReadonlySet<string | undefined>,
    seen: Set<string>,
  ): void {
    const read = roomShape.safeParse(value);
    if (!read.success) {
      this.#refuse(path, value, 'INVALID_FIELD', read.error.issues[0]?.path.join('.'));
      return;
    }
    const { alias, name, description, items, custom_verbs } = read.data;
    if (seen.has(alias)) {
      this.#refuse(path, value, 'USED_TWICE', 'alias');
      return;
    }
    seen.add(alias);
    const refusals: (() => void)[] = [];
    const exits: ExitRow[] = [];
    for (const { index, exit } of this.#exitsOf.get(alias) ?? []) {
      const made = this.#toExit(exit, known, exits);
      if (typeof made === 'string') refusals.push(() => this.#refuse(`exits.${index}`, exit, made));
      else exits.push(made);
    }
    const key = keyOfRoom(alias);
    const source = this.#sourceOf(path, value);
    this.#rows.push(
      stored(source, { type: 'LOCATION', key, name: nameFrom(name), description: description ?? '', exits, isStart }),
    );
    for (const refuse of refusals) refuse();
    this.#refuseScripts(`${path}.custom_verbs`, custom_verbs);
    for (const [index, item] of (items ?? []).entries()) this.#addItem(`${path}.items.${index}`, item, key, index);
  }

  #toExit(
    { name, description, destination, is_open, key_names }: Exit,
    known: ReadonlySet<string | undefined>,
    before: readonly ExitRow[],
  ): ExitRow | 'UNKNOWN_LOCATION' | 'LOCKED' | 'NOT_REACHED' {
    if (!known.has(destination)) return 'UNKNOWN_LOCATION';
    const needed = key_names?.map((each) => this.#keyOfItem.get(each.toLowerCase())).find((key) => key !== undefined);
    if (is_open === false && needed === undefined) return 'LOCKED';
    const taken = before.flatMap((exit) => [exit.direction, ...exit.aliases]);
    const [direction, ...aliases] = wordsOf(name).filter((word) => !taken.includes(word));
    if (direction === undefined) return 'NOT_REACHED';
    const needs = is_open === false ? (needed ?? null) : null;
    return { direction, aliases, description: description ?? '', needs, to: keyOfRoom(destination) };
  }

  #noteItem(room: unknown, index: number, item: unknown): void {
    const alias = roomShape.safeParse(room).data?.alias ?? '';
    const read = itemShape.safeParse(item).data;
    const name = read?.name.toLowerCase();
    if (name !== undefined && read?.visible === 'takable' && !this.#keyOfItem.has(name))
      this.#keyOfItem.set(name, keyOfItem(keyOfRoom(alias), index));
  }

  #addItem(path: string, value: unknown, room: string, index: number): void {
    const read = itemShape.safeParse(value);
    if (!read.success) {
      this.#refuse(path, value, 'INVALID_FIELD', read.error.issues[0]?.path.join('.'));
      return;
    }
    const { name, description, visible, custom_verbs } = read.data;
    const details = { name: nameFrom(name), description: description ?? '', isFixed: visible !== 'takable' };
    this.#rows.push(
      stored(this.#sourceOf(path, value), itemRow({ key: keyOfItem(room, index), ...details, place: { key: room } })),
    );
    this.#refuseScripts(`${path}.custom_verbs`, custom_verbs);
  }

  #refuseScripts(path: string, all: readonly unknown[] | null | undefined): void {
    for (const [index, script] of (all ?? []).entries()) this.#refuse(`${path}.${index}`, script, 'BY_PROGRAM');
  }

  #refuse(path: string, value: unknown, reason: Parameters<typeof refused>[1], field?: string): void {
    this.#rows.push(refused(this.#sourceOf(path, value), reason, field ? `${path}.${field}` : path));
  }

  #sourceOf(path: string, value: unknown) {
    return { line: this.lines.get(path) ?? 1, raw: JSON.stringify(value) };
  }
}

const keyOfItem = (room: string, index: number): string => `${room}.item-${index + 1}`;

const WORD_LENGTH_MAX = 30;

/** The name of an exit in words that can be typed: without its article, and if it is too long, its first words. */
function wordsOf(name: string): string[] {
  const whole = name.replace(/\s+/g, ' ').trim().toLowerCase();
  const bare = whole.replace(/^(?:an?|the) /, '');
  const fitting = (text: string) =>
    text.length <= WORD_LENGTH_MAX
      ? text
      : text
          .slice(0, WORD_LENGTH_MAX + 1)
          .replace(/ [^ ]*$/, '')
          .slice(0, WORD_LENGTH_MAX);
  return [...new Set([fitting(bare), whole].filter((word) => word !== '' && word.length <= WORD_LENGTH_MAX))];
}
