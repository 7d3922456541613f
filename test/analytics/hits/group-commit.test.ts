/** What the API reports of the group commit. `hit-recorder.test.ts` tests the group commit itself. */
import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);

it('counts the hits and the groups that this process has written', async () => {
  const health = async () => (await server.request('{ system { groupCommit { waiting hits groups } } }')).data;
  expect(await health()).toEqual({ system: { groupCommit: { waiting: 0, hits: 0, groups: 0 } } });
  const hits = ['/a', '/b', '/a'].map((page) => ({ site: 'example.org', page }));
  await server.request('mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }', { hits });
  expect(await health()).toEqual({ system: { groupCommit: { waiting: 0, hits: 3, groups: 1 } } });
});
