/** Code with its syntax marked, on the server, as spans with classes of highlight.js. */
import { createRequire } from 'node:module';

/** The part that is used here. An import would add the types of browsers to the whole project. */
interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

const highlighter = createRequire(import.meta.url)('highlight.js/lib/common') as Highlighter;

/** Longer code, and what follows after so much in one text, is shown without colors: marking is slow, and multiplies the length. */
const MARKED_LENGTH_MAX = 20_000;

export class CodeMarker {
  #left = MARKED_LENGTH_MAX;

  /** HTML, or an empty text for code that stays as it is. @param language as written after the fence */
  mark(code: string, language: string): string {
    if (!language || code.length > this.#left || !highlighter.getLanguage(language)) return '';
    this.#left -= code.length;
    return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
  }
}
