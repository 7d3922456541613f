/**
 * The exits of a room. A room of the game has rules, and whoever enters a verb follows them from the first one that has the verb: if its
 * condition does not hold, the next rule decides, whatever its verbs are, until one has no condition. So each verb leads somewhere for
 * certain, which is what is kept here. Conditions are refused, with two exceptions for verbs that would otherwise lead nowhere: to carry
 * something becomes `needs`, and so does to have something open that an item of the file opens.
 */
import type { ExitRow, RejectReason } from '../rows/world-row.js';
import type { Words } from './words.js';

export interface Rule {
  readonly verbs: readonly string[];
  readonly cond?: readonly (string | number)[] | undefined;
  readonly action: readonly [string, string | number, ...unknown[]];
}

/** What one must know of the rest of the file. */
export interface Surroundings {
  readonly words: Words;
  /** Whether there is such a room. */
  isRoom(id: string): boolean;
  /** Whether the game ends there. */
  isEnd(id: string): boolean;
  /** Whether it is an item that can be carried. */
  isPortable(id: string): boolean;
}

/** That the keys open the grate is in the program of the game, not in its files. Without it, nobody could enter the cave. */
const OPENERS: ReadonlyMap<string, string> = new Map([['GRATE_CLOSED', 'KEYS']]);

/** The game moves whoever enters such a room on by itself. */
const ONWARD = 'onward';

/** What becomes of a rule. */
export type Judged = { readonly exit: ExitRow } | { readonly reason: RejectReason };

const ALIASES_MAX = 20;

/** In the order of the rules. */
export function judgeRules(rules: readonly Rule[], around: Surroundings): Judged[] {
  const won = verbsWon(rules, around);
  const taken = new Set<string>();
  return rules.map((rule, index) => {
    const names = won[index]?.includes(ONWARD) ? [ONWARD] : around.words.namesOf(won[index] ?? []);
    const [direction, ...aliases] = names.filter((name) => !taken.has(name));
    if (direction === undefined) return { reason: whyNot(rule, around) };
    for (const name of names) taken.add(name);
    const needs = neededFor(rule, around);
    const to = String(rule.action[1]);
    return { exit: { direction, aliases: aliases.slice(0, ALIASES_MAX), description: '', needs, to } };
  });
}

/** The verbs, as motions, that each rule gets. */
function verbsWon(rules: readonly Rule[], around: Surroundings): string[][] {
  const motions = rules.map(({ verbs }) =>
    verbs.length === 0 ? [ONWARD] : verbs.map((verb) => around.words.motionOf(verb)),
  );
  const won = rules.map((): string[] => []);
  for (const motion of new Set(motions.flat())) {
    const first = motions.findIndex((each) => each.includes(motion));
    const certain = rules.findIndex(({ cond }, index) => index >= first && !cond);
    const last = rules[certain];
    const leads = last !== undefined && reasonAgainst(last, around) === null;
    const winner = leads ? certain : rules.findIndex((rule, index) => index >= first && canBeKept(rule, around));
    if (winner >= 0 && (leads || motions[winner]?.includes(motion))) won[winner]?.push(motion);
  }
  return won;
}

const canBeKept = (rule: Rule, around: Surroundings): boolean =>
  reasonAgainst(rule, around) === null && neededFor(rule, around) !== null;

/** The item that one must carry for the condition to hold. Null if there is none, or it cannot be carried. */
function neededFor({ cond }: Rule, { isPortable }: Surroundings): string | null {
  const [kind, object, state] = cond ?? [];
  const carried = kind === 'carry' || kind === 'with' ? String(object) : undefined;
  const item = kind === 'not' ? OPENERS.get(String(state)) : carried;
  return item !== undefined && isPortable(item) ? item : null;
}

/** @returns null if it leads to a room */
function reasonAgainst({ action: [kind, target] }: Rule, { isRoom, isEnd }: Surroundings): RejectReason | null {
  if (kind === 'speak') return 'SAYS_SOMETHING';
  if (kind !== 'goto') return 'BY_PROGRAM';
  if (isEnd(String(target))) return 'ENDS_THE_GAME';
  return isRoom(String(target)) ? null : 'UNKNOWN_LOCATION';
}

function whyNot(rule: Rule, around: Surroundings): RejectReason {
  const against = reasonAgainst(rule, around);
  if (against !== null && against !== 'UNKNOWN_LOCATION') return against;
  if (!rule.cond) return against ?? 'NOT_REACHED';
  const [kind] = rule.cond;
  if (kind === 'pct') return 'BY_CHANCE';
  return kind === 'carry' || kind === 'with' ? 'BY_CARRYING' : 'BY_STATE';
}
