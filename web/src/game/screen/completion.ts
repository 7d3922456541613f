/** How a typed command can go on: with a verb, with a preposition, or with the name of something on the screen. */
import type { CommandPart, GameCommandsQuery } from '../../../generated/graphql.js';
import type { Item, Screen } from './types.js';

export type Command = Pick<GameCommandsQuery['commands'][number], 'verb' | 'aliases' | 'parts' | 'description'>;

export interface Completion {
  /** The whole command so far. */
  readonly line: string;
  /** What was added: a verb, a name. */
  readonly word: string;
  /** What the command does, or nothing. */
  readonly hint: string;
}

export type Names = Readonly<Record<CommandPart, readonly string[]>>;

const SHOWN_MAX = 30;

/** @param goods what the shopkeepers in the room sell */
export function namesOn(screen: Screen, goods: readonly Item[]): Names {
  const { location, inventory } = screen;
  const all = [...location.items, ...inventory];
  const others = location.players.filter(({ id }) => id !== screen.id);
  return {
    ITEM_IN_ROOM: namesOf(location.items.filter(({ isFixed }) => !isFixed)),
    ITEM_CARRIED: namesOf(inventory),
    ITEM_TO_SELL: namesOf(inventory.filter(({ price }) => price !== null && price !== undefined)),
    ITEM_INSIDE: namesOf(all.filter(({ insideId }) => insideId !== null)),
    ITEM_SEEN: namesOf(all),
    ITEM_FOR_SALE: namesOf(goods),
    CONTAINER: namesOf(all.filter(({ kind }) => kind === 'CONTAINER')),
    SOMEBODY: others.map(({ name }) => name),
    SHOPKEEPER: others.filter(({ role }) => role === 'SHOPKEEPER').map(({ name }) => name),
    DIRECTION: location.exits.map(({ direction }) => direction),
    TEXT: [],
  };
}

/** Two things of one name are told apart by their labels. */
function namesOf(items: readonly Item[]): readonly string[] {
  const isAlone = (item: Item) => items.every(({ name, label }) => name !== item.name || label === item.label);
  return [...new Set(items.map((item) => (isAlone(item) ? item.name : item.label)))];
}

/** All ways in which the text can go on, those that fit best first. An empty text goes on with each verb. */
export function complete(text: string, commands: readonly Command[], names: Names): readonly Completion[] {
  const typed = text.trimStart();
  const verbs = commands.flatMap((command) => verbsOf(typed, command));
  const directions =
    typed === '' ? [] : names.DIRECTION.filter((name) => begins(name, typed)).map((name) => asIs(name, name));
  const further = commands.flatMap(({ verb, aliases, parts }) =>
    [verb, ...aliases].flatMap((word) => {
      const start = `${word} `;
      return begins(typed, start) ? goOn(typed.slice(0, start.length), typed.slice(start.length), parts, names) : [];
    }),
  );
  const found = [...directions, ...verbs, ...further].filter(({ line }) => line.trimEnd() !== typed.trimEnd());
  return withoutRepeats(found).slice(0, SHOWN_MAX);
}

/** `look` and `look at …` begin alike: the one that goes on is offered. */
function withoutRepeats(found: readonly Completion[]): readonly Completion[] {
  const kept = new Map<string, Completion>();
  for (const each of found) {
    const key = each.line.trimEnd().toLowerCase();
    const same = kept.get(key);
    if (!same || each.line.length > same.line.length) kept.set(key, each);
  }
  return [...kept.values()];
}

/** Another word for the verb is offered only if the verb itself does not fit. */
function verbsOf(typed: string, { verb, aliases, parts, description }: Command): readonly Completion[] {
  const word = [verb, ...aliases].find((each) => begins(each, typed));
  if (word === undefined) return [];
  return [{ line: parts.length > 0 ? `${word} ` : word, word, hint: description }];
}

/** @param done the command up to the part @param rest what is typed of it */
function goOn(done: string, rest: string, parts: Command['parts'], names: Names): readonly Completion[] {
  const [part, ...others] = parts;
  if (!part) return [];
  const skipped = part.isOptional ? goOn(done, rest, others, names) : [];
  if (part.after.length === 0) return [...nameAndOn(done, rest, part.part, others, names), ...skipped];
  const begun = part.after.find((word) => begins(rest, `${word} `));
  if (begun !== undefined) {
    const length = begun.length + 1;
    return nameAndOn(done + rest.slice(0, length), rest.slice(length), part.part, others, names);
  }
  const [first] = part.after.filter((word) => begins(word, rest));
  return first === undefined ? skipped : [asIs(`${done}${first} `, first), ...skipped];
}

const ARTICLE = /^(?:the|an|a) /i;

function nameAndOn(
  before: string,
  typed: string,
  part: CommandPart,
  others: Command['parts'],
  names: Names,
): readonly Completion[] {
  const [article = ''] = ARTICLE.exec(typed) ?? [];
  const done = before + article;
  const rest = typed.slice(article.length);
  return names[part].flatMap((name) => {
    if (begins(rest, `${name} `))
      return goOn(done + rest.slice(0, name.length + 1), rest.slice(name.length + 1), others, names);
    const fits = begins(name, rest) || name.split(' ').some((word) => rest !== '' && begins(word, rest));
    return fits ? [asIs(done + name, name)] : [];
  });
}

const asIs = (line: string, word: string): Completion => ({ line, word, hint: '' });

const begins = (text: string, start: string): boolean => text.toLowerCase().startsWith(start.toLowerCase());

/** The longest beginning that all of them share. */
export function commonStart(completions: readonly Completion[]): string {
  const [first = '', ...others] = completions.map(({ line }) => line);
  let length = first.length;
  for (const other of others) {
    const same = [...first].findIndex((letter, at) => other[at]?.toLowerCase() !== letter.toLowerCase());
    if (same !== -1) length = Math.min(length, same);
  }
  return first.slice(0, length);
}
