/** Names of characters: what they may consist of, the id that follows, and what they look like. */
import { InputError } from '../../../shared/errors.js';
import { searchKey } from '../../../shared/search-key.js';
import { requireVisible } from '../../../shared/visible-text.js';

const NAME = /^\p{L}[\p{L}\p{M}\p{N} '’-]*$/u;
const NAME_LENGTH_MAX = 30;

/** Letters of these look like letters of another one of them. */
const SCRIPTS_ALIKE = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u];
const LETTER = /(?!\p{Script=Common})\p{L}/u;
/** More marks on one letter than any language writes, such as Thai with a vowel and a tone. */
const MARKS_STACKED = /\p{M}{3}/u;

function hasMixedScripts(name: string): boolean {
  const letters = [...name].filter((letter) => LETTER.test(letter));
  return SCRIPTS_ALIKE.some(
    (script) => letters.some((one) => script.test(one)) && !letters.every((one) => script.test(one)),
  );
}

/** @returns the name as it is shown @throws InputError */
export function requireCharacterName(field: string, name: string): string {
  const shown = requireVisible(field, name, NAME_LENGTH_MAX).replace(/ +/g, ' ');
  if (shown.length < 2 || !NAME.test(shown))
    throw new InputError(field, 'must have 2 to 30 letters, digits, spaces, hyphens and apostrophes, a letter first');
  if (hasMixedScripts(shown))
    throw new InputError(field, 'must have letters of one script, not for example Latin and Cyrillic ones');
  if (MARKS_STACKED.test(shown.normalize('NFC')))
    throw new InputError(field, 'must have at most two accents on a letter');
  return shown;
}

export const characterIdOf = (name: string): string => searchKey(name).replace(/’/g, "'");

/** Letters and digits, each before the Latin letter that it looks like, as a capital or as a small one. */
const ALIKE = [
  'аa вb ьb сc ԁd еe нh һh іi јj кk ӏl мm пn оo рp ԛq гr ѕs тt ѵv ԝw хx уy', // Cyrillic
  'αa βb εe ηh ιi κk μm νv οo ρp τt υy χx ζz', // Greek
  'օo հh ոn ցg սu', // Armenian
  'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ꞯq ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz', // small capitals
  'ɑa ɡg ɩi ıi ȷj ǀl',
  '0o 1l',
];
const latinOf = new Map(ALIKE.flatMap((pairs) => pairs.split(' ').map((pair) => [...pair] as [string, string])));
/** The capital i of Latin, Cyrillic and Greek looks like a small l, which the small i does not. */
const CAPITAL_I = /[IІΙ]/g;

/**
 * What a name looks like, with and without regard to capitals. Two names look alike if they have one of these in common: those that
 * differ in spaces, hyphens and letters that look the same.
 */
export function looksOf(name: string): string[] {
  const shown = name.normalize('NFKD');
  return [...new Set([shown, shown.replace(CAPITAL_I, 'l')].map(lookOf))];
}

const lookOf = (name: string): string =>
  [...searchKey(name).replace(/[ '’-]/g, '')].map((each) => latinOf.get(each) ?? each).join('');
