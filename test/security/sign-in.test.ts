/** Guessing passwords by one operation: each attempt in it counts. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { SIGN_IN, useServer } from '../support/server.js';

const database = useDatabase({ checked: false }); // one operation counts many attempts, which are operations of their own
const server = useServer(database);

const ATTEMPTS_MAX = 10; // of one address at one account
const guesses = Array.from({ length: 15 }, (_, index) => `a${index}`);

describe('an operation that tries many passwords by aliases', () => {
  it('is throttled as many operations are, from the attempt on that is one too many', async () => {
    const fields = guesses.map(
      (alias) => `${alias}: signIn(email: "admin@example.org", password: "${alias}") { __typename }`,
    );
    const sessions = () => database.db.collection('auth.refresh_tokens').countDocuments();
    const before = await sessions();
    const { data } = await server.request<Record<string, { __typename: string }>>(
      `mutation { ${fields.join(' ')} }`,
      {},
      null,
    );
    expect(guesses.map((alias) => data?.[alias]?.__typename)).toEqual(
      guesses.map((_, index) => (index < ATTEMPTS_MAX ? 'WrongCredentials' : 'SignInThrottled')),
    );
    const counted = await database.db.collection('auth.throttles').find().toArray();
    expect(counted.map(({ failures }) => failures)).toEqual([ATTEMPTS_MAX, ATTEMPTS_MAX, ATTEMPTS_MAX]);
    // The right password comes too late as well.
    expect(await server.request(SIGN_IN, {}, null)).toMatchObject({
      data: { signIn: { __typename: 'SignInThrottled' } },
    });
    expect(await sessions()).toBe(before);
  });
});
