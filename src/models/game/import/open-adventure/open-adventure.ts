/** Worlds of Open Adventure (Colossal Cave): rooms, objects and motions, one per line, in any order. */
import { z } from 'zod';
import { capitalized, keyFrom, nameFrom, unwrapped } from '../rows/foreign-text.js';
import { itemRow, type ReadLine, refused, type SourceRow, stored } from '../rows/world-row.js';
import { judgeRules, type Rule, type Surroundings } from './exits.js';
import { isMotion, Words } from './words.js';

const text = z.string().nullish();
const rule = z.object({
  verbs: z.array(z.string()),
  cond: z.array(z.union([z.string(), z.number()])).nullish(),
  action: z.tuple([z.string(), z.union([z.string(), z.number()])], z.unknown()),
});
const room = z.object({ id: z.string(), description: z.object({ long: text, short: text }), travel: z.array(rule) });
const object = z.object({
  id: z.string(),
  words: z.array(z.string()).nullish(),
  inventory: text,
  locations: z.union([z.string(), z.array(z.string())]).nullish(),
  immovable: z.boolean().nullish(),
  descriptions: z.array(z.string()).nullish(),
  texts: z.array(z.string()).nullish(),
});
type Room = z.infer<typeof room>;
type Thing = z.infer<typeof object>;

/** Where the game begins. */
const START = 'LOC_START';

export function convertOpenAdventure(lines: readonly ReadLine[]): SourceRow[] {
  const world = new Cave(lines);
  const seen = new Set<string>();
  return lines.flatMap((line) => {
    if (isMotion(line)) return [];
    const read = 'travel' in line.fields ? room.safeParse(line.fields) : object.safeParse(line.fields);
    if (!('id' in line.fields)) return [refused(line, 'NO_KIND')];
    if (!read.success) return [refused(line, 'INVALID_FIELD', read.error.issues[0]?.path.join('.') ?? null)];
    if (seen.has(read.data.id)) return [refused(line, 'USED_TWICE', 'id')];
    seen.add(read.data.id);
    return 'travel' in read.data ? world.rowsOfRoom(line, read.data) : world.rowsOfThing(line, read.data);
  });
}

/** What rows refer to, wherever it is in the file. */
class Cave implements Surroundings {
  readonly words: Words;
  readonly #rooms: ReadonlyMap<string, Room>;
  readonly #portable: ReadonlySet<string>;
  readonly #ends: ReadonlySet<string>;

  constructor(lines: readonly ReadLine[]) {
    this.words = new Words(lines.filter(isMotion));
    const rooms = lines.flatMap(({ fields }) => room.safeParse(fields).data ?? []);
    this.#rooms = new Map(rooms.map((each) => [each.id, each]));
    this.#ends = endsOf(rooms);
    const things = lines.flatMap((line) => (isMotion(line) ? [] : (object.safeParse(line.fields).data ?? [])));
    this.#portable = new Set(
      things.filter((each) => !each.immovable && this.#placesOf(each).length > 0).map(({ id }) => id),
    );
  }

  isRoom = (id: string): boolean => hasText(this.#rooms.get(id));
  isEnd = (id: string): boolean => this.#ends.has(id);
  isPortable = (id: string): boolean => this.#portable.has(id);

  rowsOfRoom(line: ReadLine, { id, description, travel }: Room): SourceRow[] {
    const long = unwrapped(description.long ?? description.short ?? '');
    if (long === '') return [refused(line, 'NO_NAME')];
    if (this.isEnd(id)) return [refused(line, 'ENDS_THE_GAME')];
    const judged = judgeRules(
      travel.map((each): Rule => ({ ...each, cond: each.cond ?? undefined })),
      this,
    );
    const exits = judged.flatMap((each) => ('exit' in each ? [each.exit] : []));
    return [
      stored(line, {
        type: 'LOCATION',
        key: keyFrom(id),
        name: nameOfPlace(description.short ?? long),
        description: long,
        exits: exits.map((exit) => ({ ...exit, needs: exit.needs && keyFrom(exit.needs), to: keyFrom(exit.to) })),
        isStart: id === START,
      }),
      ...judged.flatMap((each, index) =>
        'reason' in each ? [refused(line, each.reason, `travel.${index}`, travel[index])] : [],
      ),
    ];
  }

  /** Something in two rooms is seen from both. An item is in one place, so it becomes two, which is only right if nobody can move them. */
  rowsOfThing(line: ReadLine, thing: Thing): SourceRow[] {
    const name = (thing.inventory ?? thing.words?.[0] ?? '').replace(/^\*/, '').replace(/\s+/g, ' ').trim();
    const places = this.#placesOf(thing);
    if (name === '') return [refused(line, 'NO_NAME')];
    if (places.length === 0) return [refused(line, 'NOWHERE', 'locations')];
    const description = [thing.descriptions?.[0], thing.texts?.[0]].filter(Boolean).join('\n').replaceAll('\\n', '\n');
    return places.map((place, index) =>
      index > 0 && !thing.immovable
        ? refused(line, 'USED_TWICE', `locations.${index}`)
        : stored(
            line,
            itemRow({
              key: keyFrom(index === 0 ? thing.id : `${thing.id}-${index + 1}`),
              name: uncapitalized(name),
              description: unwrapped(description),
              isFixed: thing.immovable === true,
              place: { key: keyFrom(place) },
            }),
          ),
    );
  }

  #placesOf({ locations }: Thing): string[] {
    const places = typeof locations === 'string' ? [locations] : (locations ?? []);
    return [...new Set(places)].filter((place) => this.isRoom(place) && !this.isEnd(place));
  }
}

/** Names stand within sentences: "You take the brass lantern." These begin with the name of a people or a dynasty. */
const uncapitalized = (name: string): string =>
  /^(?:Ming|Persian)\b/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);

const hasText = (found: Room | undefined): boolean => Boolean(found?.description.long || found?.description.short);

/** The room without text or exits, and rooms that only lead there: the player has died. */
function endsOf(rooms: readonly Room[]): ReadonlySet<string> {
  const ends = new Set(rooms.filter((each) => !hasText(each) && each.travel.length === 0).map(({ id }) => id));
  for (let size = -1; size !== ends.size; ) {
    size = ends.size;
    for (const { id, travel } of rooms)
      if (travel.length > 0 && travel.every(({ action: [kind, to] }) => kind === 'goto' && ends.has(String(to))))
        ends.add(id);
  }
  return ends;
}

/** "You're in Hall of Mists." is the name "Hall of Mists". A room without a short text is named by the first sentence of its long one. */
function nameOfPlace(long: string): string {
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(unwrapped(long))?.[0] ?? long;
  const bare = sentence
    .replace(/^you(?:'re| are) /i, '')
    .replace(/^(?:in|at) (?!front\b)(?:(?:a|an|the) )?/i, '')
    .replace(/[.!]$/, '');
  return nameFrom(capitalized(bare));
}
