import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { addAdvertiser, advertisers, findAdvertisers } from '../../../src/models/ads/advertisers/advertiser.js';
import { personalData } from '../../../src/models/ads/personal-data.js';
import { useDatabase } from '../../support/database.js';
import { emptyNetwork, now, openNetwork } from '../network.js';

const database = useDatabase();

beforeEach(() => emptyNetwork(database.db));

const add = (name: string, owner: string, id: string = randomUUID()) =>
  addAdvertiser(database.db, { id, name, owner }, now);

describe('an advertiser', () => {
  it('is added once, however often the call is repeated', async () => {
    const id = randomUUID();
    const added = await Promise.all(Array.from({ length: 5 }, () => add('Anna', 'ann', id)));
    expect(new Set(added.map(({ _id }) => _id))).toEqual(new Set([id]));
    expect(await advertisers(database.db).countDocuments()).toBe(1);
  });

  it.each(['', '   ', 'a'.repeat(101), 'An\u200bna'])('has a visible name: %j is rejected', async (name) => {
    await expect(add(name, 'ann')).rejects.toMatchObject({ details: { field: 'input.name' } });
    expect(await advertisers(database.db).countDocuments()).toBe(0);
  });

  it('is listed for its owner and for editors, page by page', async () => {
    for (const name of ['One', 'Two', 'Three']) await add(name, 'ann');
    await add('Other', 'ben');
    const first = await findAdvertisers(database.db, 'ann', { first: 2 });
    const rest = await findAdvertisers(database.db, 'ann', { first: 2, after: first.pageInfo.endCursor });
    expect([...first.edges, ...rest.edges].map(({ node }) => node.owner)).toEqual(['ann', 'ann', 'ann']);
    expect((await findAdvertisers(database.db, null, { first: 10 })).edges).toHaveLength(4);
  });

  it('is limited to 100 for each owner', async () => {
    for (let n = 0; n < 100; n += 1) await add(`Advertiser ${n}`, 'ann');
    await expect(add('One more', 'ann')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

describe('the personal data of an owner', () => {
  it('has the advertisers, campaigns and ad units, and is anonymized', async () => {
    const network = await openNetwork(database.db);
    await network.draft({ units: [{}, {}] });
    const { owner } = network.advertiser;
    const files: string[] = [];
    for await (const { file } of personalData.rows(database.db, owner ?? '')) files.push(file);
    expect(files).toEqual(['advertisers.jsonl', 'campaigns.jsonl', 'ad-units.jsonl', 'ad-units.jsonl']);
    expect(await personalData.erase?.(database.db, owner ?? '', now, [])).toBe(3); // the end of the draft, and two owners
    expect(await personalData.erase?.(database.db, owner ?? '', now, [])).toBe(0);
    expect(await advertisers(database.db).findOne()).toMatchObject({ name: 'Anna’s', owner: null });
  });
});
