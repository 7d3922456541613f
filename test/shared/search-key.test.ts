import { expect, it } from 'vitest';
import { searchKey } from '../../src/shared/search-key.js';

it.each([
  ['Gling-Gló', 'gling-glo'],
  ['Ænima ™', 'ænima tm'],
  ['ﬁne', 'fine'],
  ['İstanbul', 'istanbul'],
  ['한국', '한국'.normalize('NFKD')],
  [' Two\twords ', 'two words'],
])('makes %s the key %s', (text, key) => {
  expect(searchKey(text)).toBe(key);
});
