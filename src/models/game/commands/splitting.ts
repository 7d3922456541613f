/** A typed line taken apart: into the verb and the rest, and the rest into the parts of the command. */
import type { Player } from '../world/player.js';
import { type Command, commands } from './command.js';
import { findNamed, findWhole, namedPlayer } from './naming.js';

export interface TypedCommand {
  readonly command: Command;
  /** As it was typed: the command's own, or another one. */
  readonly verb: string;
  readonly rest: string;
}

/** The commands with the verb, those with the longest verb first: `put on the hat` is no putting. */
export function withVerb(text: string): TypedCommand[] {
  const found = commands.flatMap((command) =>
    [command.verb, ...command.aliases].flatMap((verb) => {
      const rest = restOf(text, verb);
      return rest === null ? [] : [{ command, verb, rest }];
    }),
  );
  return found.sort((one, other) => other.verb.length - one.verb.length);
}

/** The second word of these may also stand at the end: `put the hat on`. */
const VERB_APART = /^(\w+) (on|off|up|down|away)$/;

/** @returns null if the text has another verb */
function restOf(text: string, verb: string): string | null {
  const lower = text.toLowerCase();
  if (lower === verb) return '';
  if (lower.startsWith(`${verb} `)) return text.slice(verb.length).trim();
  const [, first = '', last = ''] = VERB_APART.exec(verb) ?? [];
  const isApart = first !== '' && lower.startsWith(`${first} `) && lower.endsWith(` ${last}`);
  return isApart ? text.slice(first.length, -last.length).trim() : null;
}

/** What stands before one of the words, and what stands behind it: each way to split. */
export const splitsAt = (rest: string, words: readonly string[]): [string, string][] =>
  words.flatMap((word) =>
    [...rest.matchAll(new RegExp(` ${word}(?= )`, 'gi'))].map(({ index }): [string, string] => [
      rest.slice(0, index),
      rest.slice(index + word.length + 2),
    ]),
  );

/** Whoever is named first, by the whole name or its first word, also with a colon, and the words behind it. */
export function splitAtPerson(rest: string, people: readonly Player[]): { to: Player; words: string } | null {
  const typed = rest.split(' ');
  const named = people.map(namedPlayer);
  // An article may stand before the longest name.
  const longest = 1 + Math.max(0, ...people.map(({ name }) => name.split(' ').length));
  for (let count = Math.min(longest, typed.length - 1); count >= 1; count -= 1) {
    const name = typed.slice(0, count).join(' ').replace(/[:,]$/, '');
    const found = count > 1 ? findWhole(name, named) : findNamed(name, named);
    if (found.kind === 'ONE') return { to: found.value, words: typed.slice(count).join(' ') };
  }
  return null;
}
