/** Authors in the API: the id that `userId` arguments take, or none. */
import { expect, it } from 'vitest';
import { Author } from '../../src/resolvers/people/author.js';
import { toGlobalId } from '../../src/shared/global-id.js';

const idOf = Author.id as unknown as (author: object) => string | null;

it('have the id of their account, and none without an account', () => {
  expect(idOf({ _id: 'ann', name: 'Ann' })).toBe(toGlobalId('User', 'ann'));
  expect(idOf({ name: 'A program' })).toBeNull();
});
