import { expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const storageOf = async (collection: string) => {
  const query =
    'query ($collection: String!) { storage(collection: $collection) { collection documents dataBytes indexes { name } } }';
  const { data, errors } = await server.request(query, { collection });
  expect(errors).toBeUndefined();
  return data?.storage;
};

it('reports the documents of a collection, their size, and its indexes by name', async () => {
  expect(await storageOf('users')).toEqual({
    collection: 'users',
    documents: 1,
    dataBytes: expect.any(Number),
    indexes: [{ name: '_id_' }, { name: 'email_1' }, { name: 'roles_1' }],
  });
});

it.each(['none', '$cmd', '', '.users', 'a..b'])('finds nothing under the name “%s”', async (name) => {
  expect(await storageOf(name)).toBeNull();
});
