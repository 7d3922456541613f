/** Turns a search text into a query on products and an expression that ranks titles. */

import type { Document } from 'mongodb';
import { beginningWith } from '../../../database/index.js';
import { searchKey } from '../../../shared/search-key.js';
import { titleWords } from './product-title.js';

export interface TitleSearch {
  /** The filter for titles, supported by one index. */
  readonly filter: Document;
  /** The rank as an expression, higher is better: by the number of matching words, then shorter titles first. */
  readonly fit: Document;
}

/**
 * A title matches if it contains at least one of the words. `"two words"` is a phrase, and `-word` excludes a word. A text without
 * letters and digits (`÷`) matches as a prefix of the title.
 * @param completes whether the last word also matches as a prefix
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
        ? { title_key: beginningWith(searchKey(text)) }
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
const TITLE_LENGTH_UNREACHED = 10_000; // so that the length of a title never outweighs a word

interface Part {
  readonly words: readonly string[];
  readonly isPhrase: boolean;
  readonly isAbsent: boolean;
}

/** An unclosed quote extends to the end. */
const PART = /(-?)(?:"([^"]*)"?|(\S+))/gu;

function readParts(text: string): Part[] {
  const parts = [...text.matchAll(PART)].map(([, minus, phrase, word]) => ({
    words: titleWords(phrase ?? word ?? ''),
    isPhrase: phrase !== undefined,
    isAbsent: minus === '-',
  }));
  return parts.filter(({ words }) => words.length > 0);
}

/** Words consist of letters and digits only, so they need no escaping. Only the matching prefix range of the index is read. */
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

/** A prefix match counts half, so that complete matches come first. */
function beginningsOf(beginning: string | undefined): Document[] {
  if (beginning === undefined) return [];
  const begins = { $map: { input: '$title_words', in: { $eq: [{ $indexOfCP: ['$$this', beginning] }, 0] } } };
  const onlyBegins = { $and: [{ $not: [{ $in: [beginning, '$title_words'] }] }, { $anyElementTrue: begins }] };
  return [{ $cond: [onlyBegins, 0.5, 0] }];
}
