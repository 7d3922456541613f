/**
 * Names and titles entered by users must contain nothing that readers cannot see. Invisible characters make two names look alike, or
 * one look empty; characters that change the writing direction make a text read as another one.
 */
import { InputError } from './errors.js';

/** At least one character that is more than a combining mark. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/**
 * Invisible characters that are part of the spelling in their context: joiners between letters of scripts without capitals (Persian,
 * Hindi) and between emoji, and selectors for the form of an emoji, a keycap, or a Chinese or Mongolian character. Between Latin
 * letters a joiner only makes two names look alike.
 */
const IN_PLACE =
  /(?<=[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{Lo}\p{Extended_Pictographic}])|(?<=[\p{So}\p{Extended_Pictographic}\p{Script=Han}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[#*0-9])\ufe0f(?=\u20e3)|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;
/** Controls, lone surrogates, line separators, and everything that fonts leave blank, including direction controls. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800\p{Default_Ignorable_Code_Point}]/u;

/** In a text of several lines, an invisible character that was pasted along does no harm between visible ones. These do. */
const UNFIT = /(?![\n\t])\p{Cc}|[\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const BLANK = /[\u2800\p{Default_Ignorable_Code_Point}]/gu;

/** @returns the trimmed text @throws InputError names the offending character and its position */
export function requireVisible(field: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (trimmed.length < 1 || trimmed.length > lengthMax)
    throw new InputError(field, `must have 1 to ${lengthMax} characters`);
  requireNothingHidden(field, trimmed);
  if (!VISIBLE.test(trimmed)) throw new InputError(field, 'must have a visible character');
  return trimmed;
}

/**
 * For a text of several lines.
 * @returns the trimmed text with plain line ends; empty if it would show nothing
 * @throws InputError it is too long, or has controls, or characters that change the writing direction
 */
export function requireLines(field: string, text: string, lengthMax: number): string {
  const trimmed = text.replace(/\r\n?/g, '\n').trim();
  if (trimmed.length > lengthMax) throw new InputError(field, `must have at most ${lengthMax} characters`);
  refuseMatch(field, UNFIT, trimmed);
  return VISIBLE.test(trimmed.replace(BLANK, '')) ? trimmed : '';
}

/** @throws InputError names the offending character and its position */
export function requireNothingHidden(field: string, text: string): void {
  refuseMatch(
    field,
    HIDDEN,
    text.replace(IN_PLACE, ({ length }) => 'x'.repeat(length)),
  );
}

/** @param text of the same length as what was entered */
function refuseMatch(field: string, pattern: RegExp, text: string): void {
  const found = pattern.exec(text);
  if (!found) return;
  const code = found[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw new InputError(field, `must not have the hidden character U+${code}, which is at position ${found.index + 1}`);
}
