import { beforeEach, describe, expect, it } from 'vitest';
import { findUsers, users } from '../../src/models/people/user.js';
import { CursorError, InputError } from '../../src/shared/errors.js';
import { useDatabase } from '../support/database.js';
import { addPerson } from '../support/people.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const emails = async (emailPrefix: string | null, first = 50, after?: string) => {
  const { edges } = await findUsers(database.db, emailPrefix, { first, after });
  return edges.map(({ node }) => node.email);
};

beforeEach(async () => {
  const names = ['ann', 'anna', 'an.other', 'bob', 'ann%2'];
  await users(database.db).deleteMany({ name: { $in: names } });
  for (const name of names) await addPerson(database.db, name);
});

describe('the list of users', () => {
  it('can be limited to addresses that start with a text, ignoring case, and is sorted by address', async () => {
    expect(await emails('ann')).toEqual(['ann%2@example.org', 'ann@example.org', 'anna@example.org']);
    expect(await emails('ANN@')).toEqual(['ann@example.org']);
    expect(await emails('an.')).toEqual(['an.other@example.org']); // a dot is a literal dot
    expect(await emails('zoe')).toEqual([]);
    expect(await emails('')).toEqual(await emails(null));
    expect(await emails(null)).toContain('bob@example.org');
  });

  it('is paginated with the filter, and rejects cursors of another list', async () => {
    const { edges, pageInfo } = await findUsers(database.db, 'ann', { first: 1 });
    expect([edges.length, pageInfo.hasNextPage]).toEqual([1, true]);
    const after = String(pageInfo.endCursor);
    expect(await emails('ANN', 50, after)).toEqual(['ann@example.org', 'anna@example.org']);
    await expect(emails('an', 50, after)).rejects.toThrow(CursorError);
    await expect(emails(null, 50, after)).rejects.toThrow(CursorError);
  });

  it('rejects a text that is longer than an address', async () => {
    await expect(emails('a'.repeat(255))).rejects.toThrow(InputError);
  });

  it('is filtered through the API', async () => {
    const query = '{ people(emailPrefix: "bo") { edges { node { email } } } }';
    expect(await server.request(query)).toMatchObject({
      data: { people: { edges: [{ node: { email: 'bob@example.org' } }] } },
    });
  });
});
