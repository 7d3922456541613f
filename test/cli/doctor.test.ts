import { describe, expect, it } from 'vitest';
import '../../src/domains.js'; // declares all collections
import { runSextant } from '../../harness/command.js';
import { buildIndexes } from '../../src/database/index.js';
import { dailyHits } from '../../src/models/analytics/hits/hit.js';
import { fold } from '../../src/terminal/fold.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const doctor = (...parameters: string[]) =>
  runSextant(['doctor', ...parameters], { MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });

describe('sextant doctor', () => {
  it('finds nothing in a healthy database', async () => {
    expect(await doctor()).toMatchObject({ code: 0, output: 'No problems found\n' });
    expect(JSON.parse((await doctor('--json')).output)).toEqual({ healthy: true, violations: [], indexes: [] });
  });

  it('reports missing and unused indexes, and exits with 1 for a missing one', async () => {
    const users = database.db.collection('users');
    await users.createIndex({ name: 1 });
    expect(await doctor()).toMatchObject({
      code: 0,
      output: fold('Unused index: users {"name":1}. Drop it unless you created it yourself\n'),
    });
    await users.dropIndex('name_1');
    await database.db.collection('sites').createIndex({ _id: 'hashed' }); // as in a sharded cluster: not reported
    await users.dropIndex('email_1');
    expect(await doctor()).toMatchObject({
      code: 1,
      output: 'Index missing: users {"email":1}. The server builds it on start\n',
    });
    await users.createIndex({ email: 1 }, { unique: true });
  });

  it('reports an empty database, or a missing collection, in one line', async () => {
    const { code, output } = await runSextant(['doctor'], {
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: `${database.db.databaseName}_new`,
    });
    expect({ code, output }).toEqual({
      code: 1,
      output: fold('This database is empty: no server has been started with it yet\n'),
    });
    await database.db.collection('catalog.facets').drop();
    expect(await doctor()).toMatchObject({
      code: 1,
      output: 'Collection missing: catalog.facets. The server creates it on start\n',
    });
    await buildIndexes(database.db);
  });

  it('reports a broken invariant with its figures, exits with 1, and repairs nothing', async () => {
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

  it('says why it cannot check, and exits with 1', async () => {
    const { code, output, errors } = await runSextant(['doctor'], { MONGODB_URI: 'http://example.org' });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^MONGODB_URI is not a MongoDB URI: /);
  });
});
