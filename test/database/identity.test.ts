import { expect, it } from 'vitest';
import { ensureIdentity, findIdentity, IDENTITY_FORM } from '../../src/database/index.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();

it('a database has one identity, whichever process creates it, and a copy under another name has another', async () => {
  const { db, client } = database;
  expect(await findIdentity(db)).toBeNull();
  const [identity, ...others] = await Promise.all(Array.from({ length: 10 }, () => ensureIdentity(db)));
  expect(identity).toMatch(IDENTITY_FORM);
  expect(new Set([...others, await findIdentity(db)])).toEqual(new Set([identity]));

  const copy = client.db(`${db.databaseName}_copy`);
  try {
    await copy.collection('settings').insertMany(await db.collection('settings').find().toArray());
    expect(await findIdentity(copy)).toMatch(IDENTITY_FORM);
    expect(await findIdentity(copy)).not.toBe(identity);
  } finally {
    await copy.dropDatabase();
  }
});
