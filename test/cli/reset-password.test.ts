import { beforeAll, describe, expect, it } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { resetPassword } from '../../src/models/people/password-reset.js';
import { useDatabase } from '../support/database.js';
import { addPerson, sessionRules, testAct } from '../support/people.js';

const database = useDatabase();
const run = (email: string) =>
  runSextant(['reset-password', email], {
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: database.db.databaseName,
    PUBLIC_URL: 'https://stats.example.org/',
  });

beforeAll(() => addPerson(database.db, 'ann', ['ADMIN']));

describe('sextant reset-password', () => {
  it('prints a link that resets the password once, without email', async () => {
    const { code, output } = await run('Ann@example.org');
    expect(code).toBe(0);
    const [, token = ''] = /^https:\/\/stats\.example\.org\/reset#(\S+)\n$/.exec(output) ?? [];
    const choose = () =>
      resetPassword(
        database.db,
        sessionRules,
        { token, newPassword: 'correct horse battery staple' },
        () => testAct(),
        new Date(),
      );
    expect(await choose()).toMatchObject({ user: { email: 'ann@example.org' } });
    expect(await choose()).toMatchObject({ __typename: 'TokenNotGood' });
  });

  it('reports that no account has the address, and creates no link', async () => {
    expect(await run('bob@example.org')).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringMatching(/^No account has the address bob@example.org\n/m),
    });
    expect(await database.db.collection('auth.password_resets').countDocuments({ user_id: null })).toBe(0);
  });
});
