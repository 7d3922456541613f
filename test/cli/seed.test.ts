import { describe, expect, it } from 'vitest';
import { runSextant, unfolded } from '../../harness/command.js';
import { products } from '../../src/models/commerce/catalog/product.js';
import { auditTrail } from '../../src/models/people/audit.js';
import { backgroundWork } from '../../src/models/system/work/background-work.js';
import { emptyCatalog } from '../commerce/catalog/catalog-support.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();
const seed = (...parameters: string[]) =>
  runSextant(['seed', ...parameters], { MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });

describe('sextant seed', () => {
  it('fills an empty domain, refuses to do it again, and undoes it', async () => {
    const filled = await seed('commerce');
    expect(filled).toMatchObject({ code: 0, output: expect.stringMatching(/^commerce: filled in 6 steps, after \d/) });
    expect(filled.output).toContain('To undo it: sextant seed commerce --undo');
    const count = await products(database.db).countDocuments();
    expect(count).toBeGreaterThan(20);

    const again = await seed('commerce');
    expect(again.code).toBe(1);
    expect(unfolded(again.output)).toBe(
      'commerce: not changed. The domain commerce has data. Undo its sample data first',
    );
    expect(await products(database.db).countDocuments()).toBe(count);

    await products(database.db).updateOne({ _id: 'NAV-3001' }, { $set: { title: 'Changed' } });
    const undone = await seed('commerce', '--undo');
    expect(undone.code).toBe(0);
    expect(unfolded(undone.output)).toMatch(
      /^commerce: undone, after [\d.]+ s \d items stay, because they were changed or used$/,
    );
    expect(await products(database.db).find().toArray()).toMatchObject([{ _id: 'NAV-3001' }]);
    const trail = await auditTrail(database.db).find({ subject: 'commerce' }).sort({ at: 1 }).toArray();
    expect(trail.map(({ actor, action }) => [actor, action])).toEqual([
      ['sextant', 'DOMAIN_SEEDED'],
      ['sextant', 'SEED_UNDONE'],
    ]);
  }, 120_000); // each command builds the indexes

  it('prints the outcome of each domain as JSON, and exits with 1 if one was not filled', async () => {
    const refused = await seed('commerce', '--json');
    expect(refused.code).toBe(1);
    const failure = expect.stringContaining('Only an empty domain can be filled with sample data');
    expect(JSON.parse(refused.output)).toEqual([{ domain: 'commerce', state: 'REFUSED', done: 0, kept: 0, failure }]);
    await emptyCatalog(database.db);
    const filled = await seed('commerce', '--json');
    expect(filled.code).toBe(0);
    expect(JSON.parse(filled.output)).toEqual([
      { domain: 'commerce', state: 'FINISHED', done: 6, kept: 0, failure: null },
    ]);
  });

  it('has nothing to undo where nothing was added', async () => {
    expect(await seed('analytics', '--undo')).toMatchObject({
      code: 1,
      output: 'analytics: not changed. No sample data was added in the last 30 days\n',
    });
  });

  it('refuses a domain without sample data before it does anything', async () => {
    const before = await backgroundWork(database.db).countDocuments();
    const { code, output, errors } = await seed('people', 'analytics');
    expect({ code: code !== 0, output }).toEqual({ code: true, output: '' });
    expect(unfolded(errors)).toContain(
      'people: is not a domain that runs and has sample data. These do: commerce, content, social, game, analytics',
    );
    expect(await backgroundWork(database.db).countDocuments()).toBe(before);
  });
});
