import { describe, expect, it } from 'vitest';
import {
  createApiKey,
  findApiKey,
  findApiKeys,
  looksLikeApiKey,
  noteApiKeyUse,
  revokeApiKey,
} from '../../src/models/people/api-key.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';

const database = useDatabase();
const NOW = new Date();
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('an API key', () => {
  const make = (name = 'Counter') =>
    createApiKey(database.db, testAct(NOW), { name, scopes: ['LOGS_WRITE', 'HITS_WRITE', 'LOGS_WRITE'] });

  it('is shown once, and only its hash and prefix are stored', async () => {
    const { key, apiKey } = await make();
    expect(looksLikeApiKey(key)).toBe(true);
    expect(apiKey).toMatchObject({ name: 'Counter', prefix: key.slice(0, 8), scopes: ['HITS_WRITE', 'LOGS_WRITE'] });
    expect(JSON.stringify(await database.db.collection('api_keys').find().toArray())).not.toContain(key.slice(8));
    expect(await findApiKey(database.db, key)).toEqual(apiKey);
    expect(await findApiKey(database.db, `${key.slice(0, -2)}xx`)).toBeNull();
  });

  it('is invalid after its revocation, and the first revocation is kept', async () => {
    const { key, apiKey } = await make();
    const act = testAct(later(1000));
    expect(await revokeApiKey(database.db, act, apiKey._id)).toMatchObject({ revoked_at: act.at });
    expect(await revokeApiKey(database.db, testAct(later(2000)), apiKey._id)).toMatchObject({ revoked_at: act.at });
    expect(await revokeApiKey(database.db, act, 'none')).toBeNull();
    expect(await findApiKey(database.db, key)).toBeNull();
    expect(await database.db.collection('audit').countDocuments({ action: 'API_KEY_REVOKED' })).toBe(1);
  });

  it('records its use once a minute, no matter how many processes use it', async () => {
    const { key, apiKey } = await make();
    const used = async () => (await findApiKey(database.db, key))?.last_used_at;
    await Promise.all(Array.from({ length: 5 }, (_, at) => noteApiKeyUse(database.db, apiKey._id, later(at))));
    const first = await used();
    expect(first).toEqual(expect.any(Date));
    await noteApiKeyUse(database.db, apiKey._id, later(59_999));
    expect(await used()).toEqual(first);
    await noteApiKeyUse(database.db, apiKey._id, later(60_010));
    expect(await used()).toEqual(later(60_010));
  });

  it('needs a name and a scope', async () => {
    const before = await findApiKeys(database.db);
    await expect(make(' ')).rejects.toMatchObject({ details: { field: 'input.name' } });
    await expect(createApiKey(database.db, testAct(), { name: 'x', scopes: [] })).rejects.toMatchObject({
      details: { field: 'input.scopes' },
    });
    expect(await findApiKeys(database.db)).toEqual(before);
  });
});
