/** Markdown as text without marks: for excerpts, descriptions and search. */
import type { Token } from 'markdown-it';
import { parseMarkdown, picturesAmong, textOf } from './markdown.js';

const EXCERPT_LENGTH = 280;

/** One line per paragraph, heading or item. Pictures are their alternative texts. @throws LimitError */
export function plainTextOf(markdown: string): string {
  return linesOf(parseMarkdown(markdown)).join('\n');
}

export interface Outline {
  /** The start of a text in one line, cut between words. Headings and code are left out. */
  readonly excerpt: string;
  /** The number of all words. */
  readonly words: number;
  /** As `picturesIn` finds them. */
  readonly pictures: readonly string[];
}

/** All from one reading of the text. @param length of the excerpt at most, in characters @throws LimitError */
export function outlineOf(markdown: string, length = EXCERPT_LENGTH): Outline {
  const tokens = parseMarkdown(markdown);
  return {
    excerpt: excerptOf(tokens, length),
    words: wordsIn(linesOf(tokens).join('\n')),
    pictures: picturesAmong(tokens),
  };
}

function excerptOf(tokens: readonly Token[], length: number): string {
  const text = linesOf(tokens.filter((token, index) => !isHeading(tokens, index) && !isCode(token))).join(' ');
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  // A half character at the cut, or a text without spaces, is cut where it is.
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '').replace(/[\s,;:]+$/, '')}…`;
}

/** Scripts that put no spaces between words. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu;

/** The number of words of a plain text. Two characters of a script without spaces count as one. */
export function wordsIn(text: string): number {
  const spaced = text.replace(SPACELESS, ' ');
  const spaceless = text.match(SPACELESS)?.length ?? 0;
  return (spaced.match(WORD)?.length ?? 0) + Math.ceil(spaceless / 2);
}

const WORDS_PER_MINUTE = 230;

/** How long it takes to read so many words. */
export const readingMinutesOf = (words: number): number =>
  words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE));

const isHeading = (tokens: readonly Token[], index: number) => tokens[index - 1]?.type === 'heading_open';
const isCode = ({ type }: Token) => type === 'fence' || type === 'code_block';

function linesOf(tokens: readonly Token[]): string[] {
  return tokens
    .filter((token) => token.type === 'inline' || isCode(token))
    .map((token) => (token.children ? textOf(token.children) : token.content.trimEnd()))
    .filter((line) => line !== '');
}
