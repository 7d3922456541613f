import { expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

it('describes the server, its database and the realtime delivery of this process', async () => {
  const query = `{ system {
    version startedAt database { version deployment embedded oplogWindowSeconds }
    realtime { streaming subscribers lagMs } collections { collection documents indexes { name bytes uses } }
  } }`;
  const { data, errors } = await server.request<{ system: { collections: object[] } }>(query);
  expect(errors).toBeUndefined();
  expect(data?.system).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    startedAt: expect.stringMatching(/Z$/),
    database: { deployment: 'rs0', embedded: true },
    realtime: { streaming: false, subscribers: 0 },
  });
  expect(data?.system.collections).toContainEqual(expect.objectContaining({ collection: 'users', documents: 1 }));
});
