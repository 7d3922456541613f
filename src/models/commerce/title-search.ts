/** What somebody types to find titles, as a query of the products and a measure of how well a title fits. */
import type { Document } from 'mongodb';
import { beginningWith } from '../../database/index.js';
import { titleKey, titleWords } from './product-title.js';

export interface TitleSearch {
  /** What a title must meet: answered by one index. */
  readonly filter: Document;
  /** An expression, the higher the better: how many of the words a title has, and of equals the shorter one. */
  readonly fit: Document;
}

/**
 * A title has at least one of the words; `"two words"` must stand together, and `-word` must not be there. A text without a letter or
 * digit (`÷`) is what the title begins with.
 * @param completes whether the last word may be the beginning of one
 */
export function searchOfTitles(text: string, completes: boolean): TitleSearch {
  const parts = readParts(text);
  const words = [...new Set(parts.filter(({ isAbsent }) => !isAbsent).flatMap((part) => part.words))];
  const last = parts.at(-1);
  const beginning = completes && last && !last.isAbsent && !last.isPhrase ? last.words.at(-1) : undefined;
  const conditions = parts.flatMap(conditionsOf);
  return {
    filter: {
      ...(words.length === 0
        ? { title_key: beginningWith(titleKey(text)) }
        : { title_words: { $in: sought(words, beginning) } }),
      ...(conditions.length > 0 && { $expr: { $and: conditions } }),
    },
    fit: {
      $subtract: [
        { $add: [{ $size: { $setIntersection: ['$title_words', { $literal: words }] } }, ...beginningsOf(beginning)] },
        { $divide: [{ $strLenCP: '$title_key' }, TITLE_LENGTH_UNREACHED] },
      ],
    },
  };
}
const TITLE_LENGTH_UNREACHED = 10_000; // so that a title's length never weighs as much as a word

interface Part {
  readonly words: readonly string[];
  readonly isPhrase: boolean;
  readonly isAbsent: boolean;
}

/** A quote that nothing closes reaches to the end. */
const PART = /(-?)(?:"([^"]*)"?|(\S+))/gu;

function readParts(text: string): Part[] {
  const parts = [...text.matchAll(PART)].map(([, minus, phrase, word]) => ({
    words: titleWords(phrase ?? word ?? ''),
    isPhrase: phrase !== undefined,
    isAbsent: minus === '-',
  }));
  return parts.filter(({ words }) => words.length > 0);
}

/** Words are letters and digits alone, so none means anything in a pattern; of the index, only what begins so is read. */
const sought = (words: readonly string[], beginning: string | undefined) =>
  beginning === undefined ? words : [...words, new RegExp(`^${beginning}`)];

const NO_WORD = '[^\\p{L}\\p{N}]';

function conditionsOf({ words, isPhrase, isAbsent }: Part): Document[] {
  if (!isPhrase && !isAbsent) return [];
  const together = {
    $regexMatch: { input: '$title_key', regex: `(^|${NO_WORD})${words.join(`${NO_WORD}+`)}($|${NO_WORD})` },
  };
  return [isAbsent ? { $not: [together] } : together];
}

/** A word that only begins so counts half: those that have it whole come first. */
function beginningsOf(beginning: string | undefined): Document[] {
  if (beginning === undefined) return [];
  const begins = { $map: { input: '$title_words', in: { $eq: [{ $indexOfCP: ['$$this', beginning] }, 0] } } };
  const onlyBegins = { $and: [{ $not: [{ $in: [beginning, '$title_words'] }] }, { $anyElementTrue: begins }] };
  return [{ $cond: [onlyBegins, 0.5, 0] }];
}
