/** What is made of the texts and ids of other programs, so that they fit. */

const NAME_LENGTH_MAX = 100;
const FOLK_NAME_LENGTH_MAX = 30;

/** Letters, digits and `._:-`: anything else becomes a hyphen. */
export const keyFrom = (id: string): string => id.trim().replace(/[^\p{L}\p{N}._:-]+/gu, '-');

/** Lines that were broken to fit a terminal become one line again. Empty lines, and what is indented, stay. */
export const unwrapped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(\S)[ \t]*\n(?=\S)/g, '$1 ')
    .trim();

/** Without the tags that color a text. */
export const withoutTags = (text: string): string => text.replace(/<\/?[a-z][a-z0-9 =#"'-]*>/gi, '');

/** Whole words of at most so many characters. */
export function shortened(text: string, lengthMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= lengthMax) return line;
  const cut = line.slice(0, lengthMax);
  const end = cut.lastIndexOf(' ');
  return (end > 0 ? cut.slice(0, end) : cut).replace(/[\s,;:-]+$/, '');
}

export const nameFrom = (text: string): string => shortened(text, NAME_LENGTH_MAX);

/** Names of folk have fewer characters, and fewer kinds of them. */
export const folkNameFrom = (text: string): string =>
  shortened(text.replace(/[^\p{L}\p{M}\p{N} '’-]+/gu, ' '), FOLK_NAME_LENGTH_MAX);

/** A name for the next one of the same name, of the same bounds. */
export const numbered = (name: string, number: number, lengthMax = FOLK_NAME_LENGTH_MAX): string =>
  number === 1 ? name : `${shortened(name, lengthMax - String(number).length - 1)} ${number}`;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
