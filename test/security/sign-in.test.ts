/** Guessing passwords within one operation: each attempt counts. */
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { SIGN_IN, useServer } from '../support/server.js';

const database = useDatabase({ checked: false }); // one request has many attempts: the capture would report their writes
const server = useServer(database);

const ATTEMPTS_MAX = 10; // per address and account
const guesses = Array.from({ length: 15 }, (_, index) => `a${index}`);

describe('an operation that tries many passwords by aliases', () => {
  it('is throttled like separate operations, from the first excess attempt', async () => {
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
    // Even the right password is too late.
    expect(await server.request(SIGN_IN, {}, null)).toMatchObject({
      data: { signIn: { __typename: 'SignInThrottled' } },
    });
    expect(await sessions()).toBe(before);
  });
});
