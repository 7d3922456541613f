/** From what was typed to an act: which command, and which things in the character's sight. Pure. */
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { Actor } from '../acts/act.js';
import { isHand } from '../acts/equipment.js';
import { exitOf } from '../acts/movement.js';
import { type ItemEntry, labelOf, type Slot } from '../world/item-entry.js';
import { type Command, type CommandPart, commands, directionWords } from './command.js';
import { findNamed, namedPlayer } from './naming.js';
import { candidatesOf, others, partsOfFirst, type Sight, type Thing } from './sight.js';
import { suggest } from './suggesting.js';

export type NotUnderstood = Refusal<'NotUnderstood', { readonly suggestions: readonly string[] }>;

/** An act with everything that its mutation takes. */
export type Plan =
  | { readonly act: 'TAKE' | 'TAKE_OUT' | 'DROP' | 'REMOVE'; readonly item: string }
  | { readonly act: 'PUT'; readonly item: string; readonly container: string }
  | { readonly act: 'GIVE'; readonly item: string; readonly to: string }
  | { readonly act: 'EQUIP'; readonly item: string; readonly slot: Slot }
  | { readonly act: 'GO'; readonly direction: string }
  | { readonly act: 'LOOK'; readonly at: { readonly kind: 'Item' | 'Character'; readonly id: string } | null }
  | { readonly act: 'SAY'; readonly text: string; readonly to: string | null }
  | { readonly act: 'BUY' | 'SELL'; readonly item: string; readonly shopkeeper: string };

const SUGGESTIONS_MAX = 10;

export const notUnderstood = (message: string, suggestions: readonly string[]): NotUnderstood =>
  refuse('NotUnderstood', message, { suggestions: [...new Set(suggestions)].slice(0, SUGGESTIONS_MAX) });

export function parseCommand(typed: string, sight: Sight): Plan | NotUnderstood {
  const text = typed.trim().replace(/\s+/g, ' ');
  const said = /^["'“](.+?)["'”]?$/.exec(text)?.[1];
  if (said) return { act: 'SAY', text: said, to: null };
  if (/^(help|\?)$/i.test(text)) return help();
  const exit = exitOf(sight.actor.location.exits, text) ?? exitOf(sight.actor.location.exits, directionOf(text));
  if (exit) return { act: 'GO', direction: exit.direction };
  if (knownDirections.has(text.toLowerCase())) return { act: 'GO', direction: directionOf(text) };
  return parseVerb(text, sight);
}

/** Clients may show more: they know the grammar. */
function help(): NotUnderstood {
  const verbs = [...new Set(commands.map(({ verb }) => verb))];
  const examples = commands.filter(({ parts }) => parts.length === 0).map(({ example }) => example);
  return notUnderstood(`The commands are ${verbs.join(', ')}. The direction of an exit is enough`, examples);
}

const knownDirections = new Set([...directionWords].flat());
const directionOf = (text: string): string => directionWords.get(text.toLowerCase()) ?? text;

/** Each command whose verb was typed is tried. The last reason why one did not fit is the one of the command with the fewest parts. */
function parseVerb(text: string, sight: Sight): Plan | NotUnderstood {
  let reason: NotUnderstood | null = null;
  for (const { command, rest } of withVerb(text)) {
    const plan = parseRest(command, rest, sight);
    if (plan && 'act' in plan) return plan;
    if (plan) reason = plan;
  }
  return reason ?? takesNothingMore(text) ?? unknownVerb(text, sight);
}

/** A command that stands alone was typed with more words. */
function takesNothingMore(text: string): NotUnderstood | null {
  const [alone] = withVerb(text);
  return alone ? notUnderstood(`“${alone.command.verb}” takes nothing more`, [alone.command.verb]) : null;
}

/** The commands with the verb, those with the longest verb first: `put on the hat` is no putting. */
function withVerb(text: string): { readonly command: Command; readonly rest: string }[] {
  const lower = text.toLowerCase();
  const found = commands.flatMap((command) =>
    [command.verb, ...command.aliases]
      .filter((verb) => lower === verb || lower.startsWith(`${verb} `))
      .map((verb) => ({ command, rest: text.slice(verb.length).trim(), length: verb.length })),
  );
  return found.sort((one, other) => other.length - one.length);
}

/** @returns null if the words do not have the form of the command */
function parseRest(command: Command, rest: string, sight: Sight): Plan | NotUnderstood | null {
  const [first, second] = command.parts;
  if (!first) return rest === '' ? planOf(command, [], sight) : null;
  if (rest === '') return notUnderstood(`What do you want to ${command.verb}?`, suggest(command, sight));
  if (!second) return planOf(command, [rest], sight);
  if (second.part === 'TEXT') return planWithText(command, rest, sight);
  const splits = splitsAt(rest, second.after);
  if (splits.length === 0) return second.isOptional ? planOf(command, [rest], sight) : incomplete(command, rest, sight);
  // A name may contain one of the words, so the first split whose parts are there is meant.
  const plans = splits.map((words) => planOf(command, words, sight));
  return plans.find((plan) => 'act' in plan) ?? plans[0] ?? null;
}

/** Only one command takes apart what others do with one part: `take the scroll` is whole. */
function incomplete(command: Command, rest: string, sight: Sight): NotUnderstood | null {
  const isWhole = commands.some(
    ({ verb, act, parts }) => act !== command.act && verb === command.verb && parts.length < 2,
  );
  const [, second] = command.parts;
  if (isWhole || !second) return null;
  // The word may have been typed without what follows it: `give lamp to`.
  const [, first = '', word] = new RegExp(`^(.*?) ?\\b(${second.after.join('|')})$`, 'i').exec(rest) ?? ['', rest];
  const begun = [command.verb, first, word ?? second.after[0]].filter(Boolean).join(' ');
  const asked = second.part === 'SOMEBODY' ? 'whom' : 'what';
  return notUnderstood(`${begun.charAt(0).toUpperCase()}${begun.slice(1)} ${asked}?`, suggest(command, sight));
}

function splitsAt(rest: string, words: readonly string[]): [string, string][] {
  const lower = rest.toLowerCase();
  const splits: [string, string][] = [];
  for (const word of words)
    for (let at = lower.indexOf(` ${word} `); at !== -1; at = lower.indexOf(` ${word} `, at + 1))
      splits.push([rest.slice(0, at), rest.slice(at + word.length + 2)]);
  return splits;
}

/** Somebody's name, whole or its first word, then the words for them, also after a colon. */
function planWithText(command: Command, rest: string, { actor }: Sight): Plan | NotUnderstood {
  const typed = spelled(rest);
  const [to] = others(actor)
    .filter(({ name }) => /^[:,]? /.test(typed.slice(name.length)) && typed.startsWith(spelled(name)))
    .sort((one, other) => other.name.length - one.name.length);
  if (to) return { act: 'SAY', text: textAfter(rest, to.name.length), to: to.id };
  const [, word = ''] = /^(\S+?)[:,]? /.exec(rest) ?? [];
  const found = findNamed(word, others(actor).map(namedPlayer));
  if (found.kind === 'ONE') return { act: 'SAY', text: textAfter(rest, word.length), to: found.value.id };
  return notUnderstood(
    'Whom do you mean?',
    others(actor).map(({ name }) => `${command.verb} ${name} hello`),
  );
}

const spelled = (text: string): string => text.replaceAll('’', "'").toLowerCase();
const textAfter = (rest: string, length: number): string => rest.slice(length).replace(/^[:,]/, '').trim();

/** @param words one for each part of the command, as typed */
function planOf(command: Command, words: readonly string[], sight: Sight): Plan | NotUnderstood {
  const [first = '', second] = words;
  switch (command.act) {
    case 'LOOK':
      return { act: 'LOOK', at: null };
    case 'INVENTORY':
      return { act: 'LOOK', at: { kind: 'Character', id: sight.actor._id } };
    case 'SAY':
      return { act: 'SAY', text: first, to: null };
    case 'GO':
      return { act: 'GO', direction: exitOf(sight.actor.location.exits, first) ? first : directionOf(first) };
    default:
      return planWithThings(command, first, second, sight);
  }
}

function planWithThings(
  command: Command,
  first: string,
  second: string | undefined,
  sight: Sight,
): Plan | NotUnderstood {
  const meant = (typed: string, ...parts: CommandPart[]) => findThing(command, typed, parts, sight);
  const thing = meant(first, ...partsOfFirst(command));
  if ('__typename' in thing) return thing;
  const { id } = thing;
  switch (command.act) {
    case 'LOOK_AT':
      return { act: 'LOOK', at: { kind: 'is_online' in thing ? 'Character' : 'Item', id } };
    case 'TAKE':
    case 'TAKE_OUT':
      return { act: 'inside_id' in thing && thing.inside_id !== null ? 'TAKE_OUT' : 'TAKE', item: id };
    case 'PUT': {
      const container = meant(second ?? '', 'CONTAINER', 'ITEM_SEEN');
      return '__typename' in container ? container : { act: 'PUT', item: id, container: container.id };
    }
    case 'GIVE': {
      const to = meant(second ?? '', 'SOMEBODY');
      return '__typename' in to ? to : { act: 'GIVE', item: id, to: to.id };
    }
    case 'WEAR':
    case 'WIELD':
      return { act: 'EQUIP', item: id, slot: slotFor(sight.actor, thing as ItemEntry, command.act === 'WIELD') };
    case 'BUY':
    case 'SELL':
      return planTrade(command, command.act, thing, second, sight);
    default:
      return { act: command.act === 'REMOVE' ? 'REMOVE' : 'DROP', item: id };
  }
}

function findThing(
  command: Command,
  typed: string,
  parts: readonly CommandPart[],
  sight: Sight,
): Thing | NotUnderstood {
  for (const part of parts) {
    const found = findNamed<Thing>(typed, candidatesOf(part, sight));
    if (found.kind === 'ONE') return found.value;
    if (found.kind === 'SEVERAL') {
      const names = found.values.map(({ names: [name = ''] }) => name);
      const lead = command.parts.length > 1 ? [] : names.map((name) => `${command.verb} ${name}`);
      return notUnderstood(`Which one do you mean: ${names.join(', ')}?`, lead);
    }
  }
  const isAll = /^(all|every(thing|body|one))$/i.test(typed);
  return notUnderstood(isAll ? 'One thing at a time' : absenceOf(typed, parts), suggest(command, sight));
}

function absenceOf(typed: string, [part]: readonly CommandPart[]): string {
  const name = typed.replace(/^(the|an?) /i, '');
  if (part === 'ITEM_CARRIED') return `You carry no ${name}`;
  if (part === 'ITEM_FOR_SALE') return `No ${name} is for sale here`;
  if (part === 'SOMEBODY' || part === 'SHOPKEEPER') return `There is nobody here named ${name}`;
  return `You see no ${name} here`;
}

function planTrade(
  command: Command,
  act: 'BUY' | 'SELL',
  thing: Thing,
  named: string | undefined,
  sight: Sight,
): Plan | NotUnderstood {
  if (named !== undefined) {
    const shopkeeper = findThing(command, named, ['SHOPKEEPER', 'SOMEBODY'], sight);
    return '__typename' in shopkeeper ? shopkeeper : { act, item: thing.id, shopkeeper: shopkeeper.id };
  }
  const offering = [...sight.goods].filter(([, goods]) => act === 'SELL' || goods.some(({ id }) => id === thing.id));
  const [shopkeeper] = offering.map(([id]) => id);
  if (shopkeeper === undefined) return notUnderstood('Nobody here trades', ['look']);
  if (act === 'BUY' || offering.length === 1) return { act, item: thing.id, shopkeeper };
  return notUnderstood(
    'To whom?',
    candidatesOf('SHOPKEEPER', sight).map(({ names: [name] }) => `sell ${labelOf(thing as ItemEntry)} to ${name}`),
  );
}

/** The first free place for the item, otherwise the first: then the refusal says what is there. */
export function slotFor({ armor, weapons }: Actor, { slots }: ItemEntry, isWeapon: boolean): Slot {
  const fitting = slots.filter((slot) => isHand(slot) === isWeapon);
  const isFree = (slot: Slot) =>
    slot === 'BODY' ||
    (slot === 'BOTH_HANDS'
      ? weapons.length === 0
      : !weapons.some(({ hand }) => hand === slot || hand === 'BOTH_HANDS') &&
        !armor.some(({ region }) => region === slot));
  return fitting.find(isFree) ?? fitting[0] ?? (isWeapon ? 'RIGHT_HAND' : 'BODY');
}

const DISTANCE_MAX = 2;

function unknownVerb(text: string, sight: Sight): NotUnderstood {
  const [verb = ''] = text.toLowerCase().split(' ');
  const near = commands.filter((command) =>
    [command.verb, ...command.aliases].some(
      (known) => distance(verb, known) <= Math.min(DISTANCE_MAX, known.length - 2),
    ),
  );
  const exits = sight.actor.location.exits.map(({ direction }) => direction);
  const suggestions =
    near.length > 0 ? near.flatMap((command) => suggest(command, sight)) : ['look', 'inventory', ...exits];
  const shown = verb === '' ? 'Type a command' : `“${verb}” is not a command`;
  return notUnderstood(
    `${shown}, such as ${[...new Set(commands.map(({ verb: known }) => known))].slice(0, 5).join(', ')}`,
    suggestions,
  );
}

/** How many letters must be added, removed or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to += 1)
      next.push(
        Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (other[to - 1] === letter ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
