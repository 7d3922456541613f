/** From what was typed to an act: which command, and which things in the character's sight. Pure. */
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { Actor } from '../acts/act.js';
import { isHand } from '../acts/equipment.js';
import { exitOf, exitWritten } from '../acts/movement.js';
import { type ItemEntry, labelOf, type Slot, theLabel } from '../world/item-entry.js';
import type { Exit } from '../world/location.js';
import type { Player } from '../world/player.js';
import { type Command, type CommandAct, type CommandPart, commands, directionWords, helpWords } from './command.js';
import { findNamed, type Named, namedItem, namedPlayer } from './naming.js';
import { candidatesOf, goodsOf, insideOf, others, partsOfFirst, type Sight, type Thing, tradersOf } from './sight.js';
import { splitAtPerson, splitsAt, type TypedCommand, withVerb } from './splitting.js';
import { phrase, suggest } from './suggesting.js';

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
const TRIED_MAX = 20;
const ALWAYS = ['look', 'inventory'];

const notUnderstood = (message: string, suggestions: readonly string[]): NotUnderstood =>
  refuse('NotUnderstood', message, { suggestions });

/** What is suggested is understood: what is ambiguous itself is left out. */
export function parseCommand(typed: string, sight: Sight): Plan | NotUnderstood {
  const plan = parse(typed, sight);
  if ('act' in plan) return plan;
  const tried = [...new Set(plan.suggestions)].slice(0, TRIED_MAX).filter((text) => 'act' in parse(text, sight));
  return { ...plan, suggestions: tried.length > 0 ? tried.slice(0, SUGGESTIONS_MAX) : ALWAYS };
}

function parse(typed: string, sight: Sight): Plan | NotUnderstood {
  const text = withoutGaps(typed);
  const said = quoted(text);
  if (said) return { act: 'SAY', text: said, to: null };
  if (helpWords.has(text.toLowerCase())) return help();
  return planOfDirection(text, sight) ?? parseVerb(text, sight);
}

const TELLINGS: readonly CommandAct[] = ['SAY', 'TELL', 'LOOK', 'LOOK_AT', 'INVENTORY'];

/** Whether it is meant as words or as a look, also where it is not understood. */
export function isTelling(typed: string): boolean {
  const text = withoutGaps(typed);
  const found = withVerb(text);
  return (
    quoted(text) !== undefined || (found.length > 0 && found.every(({ command }) => TELLINGS.includes(command.act)))
  );
}

const withoutGaps = (typed: string): string => typed.trim().replace(/\s+/g, ' ');
/** Words behind a quotation mark. Marks alone say nothing. */
const quoted = (text: string): string | undefined => /^["'“](?=.*[^\s"'“”])(.+?)["'”]?$/.exec(text)?.[1];

/** The direction alone is enough. */
function planOfDirection(text: string, { actor: { location } }: Sight): Plan | null {
  const exit = exitTyped(location.exits, text);
  if (exit) return { act: 'GO', direction: exit.direction };
  return knownDirections.has(text.toLowerCase()) ? { act: 'GO', direction: directionOf(text) } : null;
}

/** `ne` is northeast rather than an exit `né`. */
const exitTyped = (exits: readonly Exit[], text: string): Exit | undefined =>
  exitWritten(exits, text) ?? exitOf(exits, directionOf(text)) ?? exitOf(exits, text);

/** Clients may show more: they know the grammar. */
function help(): NotUnderstood {
  const verbs = [...new Set(commands.map(({ verb }) => verb))];
  const examples = commands.filter(({ parts }) => parts.length === 0).map(({ example }) => example);
  return notUnderstood(`The commands are ${verbs.join(', ')}. The direction of an exit is enough`, examples);
}

const knownDirections = new Set([...directionWords].flat());
const directionOf = (text: string): string => directionWords.get(text.toLowerCase()) ?? text;

/** Each command whose verb was typed is tried. If none fits, the reason is the one of the command that says most: `look at`, not `look`. */
function parseVerb(text: string, sight: Sight): Plan | NotUnderstood {
  let reason: NotUnderstood | null = null;
  for (const typed of withVerb(text)) {
    const plan = parseRest(typed, sight);
    if (plan && 'act' in plan) return plan;
    if (plan && typed.command.act === 'TELL') return plan; // `say to Ann`: what is meant for one is never said to all
    reason ??= plan;
  }
  return reason ?? takesNothingMore(text, sight) ?? unknownVerb(text, sight);
}

/** A command that stands alone, or a direction, was typed with more words. */
function takesNothingMore(text: string, sight: Sight): NotUnderstood | null {
  const [first = ''] = text.split(' ');
  if (helpWords.has(first.toLowerCase())) return help(); // `help take`
  const alone = withVerb(text)[0]?.command.verb ?? (planOfDirection(first, sight) ? first : null);
  return alone === null ? null : notUnderstood(`“${alone}” takes nothing more`, [alone]);
}

/** @returns null if the words do not have the form of the command */
function parseRest(typed: TypedCommand, sight: Sight): Plan | NotUnderstood | null {
  const { command, verb, rest } = typed;
  const [first, second] = command.parts;
  if (!first) return rest === '' ? planOf(command, [], sight) : null;
  if (rest === '') return hasSimpler(command) ? null : notUnderstood(`${question(typed)}?`, suggest(command, sight));
  if (!second) return planOf(command, [rest], sight);
  if (second.part === 'TEXT') return planWithText(command, rest, sight);
  // A name may contain one of the words, so the first reading whose parts are there is meant.
  const plans = readingsOf(typed, sight).map((words) => planOf(command, words, sight));
  const plan = plans.find((each) => 'act' in each);
  if (plan) return plan;
  const lacksFirst = new RegExp(`^(${second.after.join('|')}) `, 'i').test(rest);
  if (lacksFirst) return notUnderstood(`What do you want to ${verb} ${rest}?`, suggest(command, sight));
  return plans[0] ?? (hasSimpler(command) ? null : incomplete(command, rest, sight));
}

/** The ways to take apart what was typed for the parts of a command with two. */
function readingsOf({ command, rest }: TypedCommand, { actor }: Sight): string[][] {
  const [, second] = command.parts;
  const split = splitsAt(rest, second?.after ?? []);
  const person = command.act === 'GIVE' ? splitAtPerson(rest, others(actor)) : null; // `give Ann the lamp`
  return [...split, ...(person ? [[person.words, person.to.name]] : []), ...(second?.isOptional ? [[rest]] : [])];
}

/** Only one command takes apart what others do with one part: `take the scroll` is whole. */
const hasSimpler = (command: Command): boolean =>
  command.parts.length > 1 &&
  commands.some(({ verb, act, parts }) => act !== command.act && verb === command.verb && parts.length === 1);

function question({ command: { act, parts }, verb }: TypedCommand): string {
  const lead = act === 'GO' ? 'Where' : parts[0]?.part === 'SOMEBODY' ? 'Whom' : 'What';
  return `${lead} do you want to ${verb === 'x' ? 'examine' : verb}`;
}

function incomplete(command: Command, rest: string, sight: Sight): NotUnderstood | null {
  const [, second] = command.parts;
  if (!second) return null;
  // The word may have been typed without what follows it: `give lamp to`.
  const [, first = '', word] = new RegExp(`^(.*?) ?\\b(${second.after.join('|')})$`, 'i').exec(rest) ?? ['', rest];
  const begun = [command.verb, first, word ?? second.after[0]].filter(Boolean).join(' ');
  const asked = second.part === 'SOMEBODY' ? 'whom' : 'what';
  return notUnderstood(`${begun.charAt(0).toUpperCase()}${begun.slice(1)} ${asked}?`, suggest(command, sight));
}

/** Words for somebody. */
function planWithText(command: Command, rest: string, sight: Sight): Plan | NotUnderstood {
  const split = splitAtPerson(rest, others(sight.actor));
  if (split) return { act: 'SAY', text: split.words, to: split.to.id };
  return notUnderstood('Whom do you mean?', suggest(command, sight));
}

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
      return { act: 'GO', direction: exitTyped(sight.actor.location.exits, first)?.direction ?? directionOf(first) };
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
  if (command.act === 'TAKE_OUT') return planTakeOut(command, first, second ?? '', sight);
  if (command.act === 'BUY') return planBuy(command, first, second, sight);
  const thing = findFirst(command, first, second, sight);
  if ('__typename' in thing) return thing;
  const { id } = thing;
  const meant = (...parts: CommandPart[]) => findSecond(command, first, second ?? '', parts, sight);
  switch (command.act) {
    case 'LOOK_AT':
      return { act: 'LOOK', at: { kind: 'is_online' in thing ? 'Character' : 'Item', id } };
    case 'TAKE':
      return { act: 'inside_id' in thing && thing.inside_id !== null ? 'TAKE_OUT' : 'TAKE', item: id };
    case 'PUT': {
      const container = meant('CONTAINER', 'ITEM_SEEN');
      return '__typename' in container ? container : { act: 'PUT', item: id, container: container.id };
    }
    case 'GIVE': {
      const to = meant('SOMEBODY');
      return '__typename' in to ? to : { act: 'GIVE', item: id, to: to.id };
    }
    case 'WEAR':
    case 'WIELD':
      return { act: 'EQUIP', item: id, slot: slotFor(sight.actor, thing as ItemEntry, command.act === 'WIELD') };
    case 'SELL': {
      const buyer = second === undefined ? trader(command, 'SELL', thing, sight) : meant('SHOPKEEPER', 'SOMEBODY');
      return '__typename' in buyer ? buyer : { act: 'SELL', item: id, shopkeeper: buyer.id };
    }
    default:
      return { act: command.act === 'REMOVE' ? 'REMOVE' : 'DROP', item: id };
  }
}

/** The container is found first: only what is inside of it is meant. */
function planTakeOut(command: Command, first: string, second: string, sight: Sight): Plan | NotUnderstood {
  // Editors may have made a thing of a container that is not empty.
  const container = findSecond(command, first, second, ['CONTAINER', 'ITEM_SEEN'], sight);
  if ('__typename' in container) return container;
  if ('is_online' in container)
    return notUnderstood(`You cannot take anything from ${container.name}`, suggest(command, sight));
  const absence = `There is no ${bare(first)} in ${theLabel(container)}`;
  const item = findAmong(command, first, second, [insideOf(container, sight)], absence, sight);
  return '__typename' in item ? item : { act: 'TAKE_OUT', item: item.id };
}

/** The shopkeeper is found first, if one is named: several may sell the same. */
function planBuy(command: Command, first: string, second: string | undefined, sight: Sight): Plan | NotUnderstood {
  if (second === undefined) {
    const item = findFirst(command, first, second, sight);
    if ('__typename' in item) return item;
    const seller = trader(command, 'BUY', item, sight);
    return '__typename' in seller ? seller : { act: 'BUY', item: item.id, shopkeeper: seller.id };
  }
  const seller = findSecond(command, first, second, ['SHOPKEEPER', 'SOMEBODY'], sight);
  if ('__typename' in seller) return seller;
  const absence = `${(seller as Player).name} sells no ${bare(first)}`;
  const item = findAmong(command, first, second, [goodsOf(sight, seller.id)], absence, sight);
  return '__typename' in item ? item : { act: 'BUY', item: item.id, shopkeeper: seller.id };
}

/** The shopkeeper who is meant if none is named. */
function trader(command: Command, act: 'BUY' | 'SELL', thing: Thing, sight: Sight): Thing | NotUnderstood {
  const [only, ...more] = tradersOf(act, thing, sight);
  if (!only) return notUnderstood('Nobody here trades', []);
  if (more.length === 0) return only.value;
  const label = labelOf(thing as ItemEntry);
  return notUnderstood(
    act === 'BUY' ? 'From whom?' : 'To whom?',
    [only, ...more].map(({ names: [name = ''] }) => phrase(command, label, name)),
  );
}

function findFirst(command: Command, first: string, second: string | undefined, sight: Sight): Thing | NotUnderstood {
  const parts = partsOfFirst(command);
  const groups = parts.map((part) => candidatesOf(part, sight));
  const absence = (command.act === 'TAKE' ? whyNotTaken(first, sight) : null) ?? absenceOf(first, parts);
  return findAmong(command, first, second, groups, absence, sight);
}

/** What is there, but not to be taken. */
function whyNotTaken(typed: string, { actor }: Sight): string | null {
  const found = findNamed<Thing>(typed, actor.inventory.map(namedItem), others(actor).map(namedPlayer));
  const thing = found.kind === 'SEVERAL' ? found.values[0]?.value : found.kind === 'ONE' ? found.value : null;
  if (!thing) return null;
  return 'is_online' in thing ? `You cannot take ${thing.name}` : `You have ${theLabel(thing)} already`;
}

function findSecond(
  command: Command,
  first: string,
  second: string,
  parts: readonly CommandPart[],
  sight: Sight,
): Thing | NotUnderstood {
  const found = findNamed<Thing>(second, ...parts.map((part) => candidatesOf(part, sight)));
  if (found.kind === 'ONE') return found.value;
  if (found.kind === 'SEVERAL') return whichOne(found.values, (name) => phrase(command, first, name));
  return notUnderstood(whatIsMeant(second) ?? absenceOf(second, parts), suggest(command, sight));
}

/** The first thing of a command. @param second what was typed behind it @param absence what to say if it is not there */
function findAmong(
  command: Command,
  first: string,
  second: string | undefined,
  groups: readonly Named<Thing>[][],
  absence: string,
  sight: Sight,
): Thing | NotUnderstood {
  const found = findNamed<Thing>(first, ...groups);
  if (found.kind === 'ONE') return found.value;
  if (found.kind === 'SEVERAL') return whichOne(found.values, (name) => phrase(command, name, second ?? null));
  const isAll = ALL.test(first) && groups.flat().length > 0;
  return notUnderstood(isAll ? 'One thing at a time' : (whatIsMeant(first) ?? absence), suggest(command, sight));
}

/** @param said the whole command with the name */
function whichOne(values: readonly Named<Thing>[], said: (name: string) => string): NotUnderstood {
  const names = [...new Set(values.map(({ names: [name = ''] }) => name))];
  return notUnderstood(`Which one do you mean: ${names.join(', ')}?`, names.map(said));
}

const bare = (typed: string): string => typed.replace(/^(the|an?) /i, '');
const PRONOUN = /^(it|this|that|these|those|them|him|her)$/i;
const whatIsMeant = (typed: string): string | null => (PRONOUN.test(typed) ? `What do you mean by “${typed}”?` : null);
const ALL = /^(all|every(thing|body|one))$/i;

function absenceOf(typed: string, [part]: readonly CommandPart[]): string {
  const name = bare(typed);
  if (part === 'ITEM_CARRIED' || part === 'ITEM_TO_SELL')
    return ALL.test(name) ? 'You carry nothing' : `You carry no ${name}`;
  if (part === 'ITEM_FOR_SALE') return `No ${name} is for sale here`;
  if (part === 'SOMEBODY' || part === 'SHOPKEEPER')
    return ALL.test(name) ? 'Nobody else is here' : `There is nobody here named ${name}`;
  if (ALL.test(name)) return 'There is nothing here for that';
  return `You see no ${name} here`;
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
