/** Titles and search texts are split in the same way, whatever they contain. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { searchProducts } from '../../../src/models/commerce/catalog/product-search.js';
import { completeTitle, titleWords } from '../../../src/models/commerce/catalog/product-title.js';
import { searchKey } from '../../../src/shared/search-key.js';
import { useDatabase } from '../../support/database.js';
import { aProduct, emptyCatalog, save } from './catalog-support.js';

const test = useDatabase();
beforeEach(() => emptyCatalog(test.db));

const LETTERS = [...'abZ0', 'é', 'e\u0301', 'ﬁ', 'İ', 'ß', '한', 'の', 'हि', '™', '²'];
const BETWEEN = [...' \u00a0()/-_.,:;!?&+*$^|[]{}\\#@~=<>%', "'", '’', '“', '‐', '–', '÷', '™'];
const text = fc.string({ unit: fc.constantFrom(...LETTERS, ...LETTERS, ...BETWEEN), minLength: 1, maxLength: 24 });
const title = text.filter((candidate) => candidate.trim() !== '' && searchKey(candidate) !== '');

const found = async (words: string) => {
  const page = { first: 50, after: null };
  const { edges } = await searchProducts(test.db, { text: words, sort: 'RELEVANCE' }, page, 'LATEST');
  return edges.map(({ node }) => node._id);
};

describe('the words of any text', () => {
  it('consist of letters and digits, and cannot be split further', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (any) => {
        const words = titleWords(any);
        expect(words.filter((word) => !/^[\p{L}\p{N}]+$/u.test(word))).toEqual([]);
        expect(words.flatMap(titleWords)).toEqual(words);
      }),
      { numRuns: 500 },
    );
  });

  it('are the words of its parts, when it is composed of them', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (parts) => {
        expect(titleWords(parts.join(' '))).toEqual([...new Set(parts.flatMap(titleWords))]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('any title', () => {
  it('is found by itself, by each of its words, and by every text that it is suggested for', async () => {
    await fc.assert(
      fc.asyncProperty(title, title, fc.nat(), async (one, other, at) => {
        await emptyCatalog(test.db);
        await save(test.db, { ...aProduct('one'), title: one }, { ...aProduct('other'), title: other });
        const typed = [...one].slice(0, 1 + (at % [...one].length)).join('');
        for (const word of titleWords(one)) expect(await found(word)).toContain('one');
        if (searchKey(typed) === '' || typed.includes('"') || /(^|\s)-/u.test(typed)) return; // phrases and exclusions
        const suggested = await completeTitle(test.db, typed, 50, 'LATEST');
        const shown = await found(typed);
        for (const { _id } of suggested) expect(shown).toContain(_id);
        expect(suggested.map(({ _id }) => _id)).toContain('one');
      }),
      { numRuns: 60 },
    );
  });
});
