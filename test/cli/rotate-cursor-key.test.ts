import { expect, it } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { readCursorKeys } from '../../src/realtime/cursors/cursor-key.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();

it('rotates the cursor key, and the previous one stays valid', async () => {
  const environment = { MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName };
  const rotate = () => runSextant(['rotate-cursor-key'], environment);
  expect(await rotate()).toMatchObject({ code: 0, output: 'Created the first key\n' });
  const [first] = await readCursorKeys(database.db);
  expect(await rotate()).toMatchObject({ code: 0, output: expect.stringContaining('Restart the servers') });
  const keys = await readCursorKeys(database.db);
  expect(keys).toHaveLength(2);
  expect(keys[0]?.id).not.toEqual(first?.id);
  expect(keys[1]?.id).toEqual(first?.id);
});
