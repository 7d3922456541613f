/**
 * Names and titles that people give: what a reader sees must be all that there is. Characters that are not seen make two names that
 * look alike, or one that looks like nothing; those that turn the direction of writing make a text read as another one.
 */
import { InputError } from './errors.js';

/** More than marks. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/**
 * What is not seen by itself and belongs to the spelling where it stands: joiners between letters of scripts without capitals (Persian,
 * Hindi) and between pictures, and what chooses the form of a picture, of a keycap, or of a Chinese or Mongolian character. Between Latin
 * letters a joiner does nothing but make two names that look alike.
 */
const IN_PLACE =
  /(?<=[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{Lo}\p{Extended_Pictographic}])|(?<=[\p{So}\p{Extended_Pictographic}\p{Script=Han}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[#*0-9])\ufe0f(?=\u20e3)|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;
/** Controls, halves of surrogate pairs, ends of lines, and all that fonts leave blank: what turns the direction of writing among it. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800\p{Default_Ignorable_Code_Point}]/u;

/** @returns the text without blanks around it @throws InputError says which character is in the way, and where */
export function requireVisible(field: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (trimmed.length < 1 || trimmed.length > lengthMax)
    throw new InputError(field, `must have 1 to ${lengthMax} characters`);
  const hidden = HIDDEN.exec(trimmed.replace(IN_PLACE, ({ length }) => 'x'.repeat(length)));
  if (hidden) {
    const code = hidden[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    throw new InputError(
      field,
      `must not have the hidden character U+${code}, which is at position ${hidden.index + 1}`,
    );
  }
  if (!VISIBLE.test(trimmed)) throw new InputError(field, 'must have a character that can be seen');
  return trimmed;
}
