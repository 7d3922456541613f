import { describe, expect, it } from 'vitest';
import '../../src/server/index.js'; // with the next, all collections are declared
import '../../src/services.js';
import { fold } from '../../src/cli/fold.js';
import { buildIndexes } from '../../src/database/index.js';
import { dailyHits } from '../../src/models/analytics/hit.js';
import { runSextant } from '../support/command.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const doctor = (...parameters: string[]) =>
  runSextant(['doctor', ...parameters], { MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });

describe('sextant doctor', () => {
  it('finds nothing in a database that is well', async () => {
    expect(await doctor()).toMatchObject({ code: 0, output: 'All is well\n' });
    expect(JSON.parse((await doctor('--json')).output)).toEqual({ healthy: true, violations: [], indexes: [] });
  });

  it('tells of a missing index and of one too many, and ends with 1 for the missing one', async () => {
    const users = database.db.collection('users');
    await users.createIndex({ name: 1 });
    expect(await doctor()).toMatchObject({
      code: 0,
      output: fold('Index that nothing needs: users {"name":1}. Drop it if you did not make it for yourself\n'),
    });
    await users.dropIndex('name_1');
    await database.db.collection('sites').createIndex({ _id: 'hashed' }); // of a sharded cluster: nothing to tell
    await users.dropIndex('email_1');
    expect(await doctor()).toMatchObject({
      code: 1,
      output: 'Index missing: users {"email":1}. The server builds it at its start\n',
    });
    await users.createIndex({ email: 1 }, { unique: true });
  });

  it('says in a line that a database is new, or that a collection is missing', async () => {
    const { code, output } = await runSextant(['doctor'], {
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: `${database.db.databaseName}_new`,
    });
    expect({ code, output }).toEqual({
      code: 1,
      output: fold('No server has started with this database yet: none of its collections is there\n'),
    });
    await database.db.collection('catalog.facets').drop();
    expect(await doctor()).toMatchObject({
      code: 1,
      output: 'Collection missing: catalog.facets. The server makes it at its start\n',
    });
    await buildIndexes(database.db);
  });

  it('tells of a broken invariant with its figures, ends with 1, and repairs nothing', async () => {
    const day = {
      _id: '20260131/shop.example/index.html',
      metadata: { date: new Date('2026-01-31'), site: 'shop.example', page: '/index.html' },
      hourly: { 3: 5 },
      minute: { 3: { 20: 4 } },
    };
    await dailyHits(database.db).insertOne(day);
    const { code, output } = await doctor('--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      healthy: false,
      violations: [
        { invariant: 'hour-is-sum-of-minutes', subject: `${day._id} hourly.3`, expected: 4, found: 5 },
        { invariant: 'day-is-sum-of-hours', expected: 5, found: 0 },
      ],
    });
    expect(await dailyHits(database.db).findOne({ _id: day._id })).toEqual(day);
  });

  it('says why it cannot look, and ends with 1', async () => {
    const { code, output, errors } = await runSextant(['doctor'], { MONGODB_URI: 'http://example.org' });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^MONGODB_URI is no address of MongoDB: /);
  });
});
