import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { addAdvertiser, advertisers, findAdvertisers } from '../../../src/models/ads/advertisers/advertiser.js';
import { personalData } from '../../../src/models/ads/personal-data.js';
import { useDatabase } from '../../support/database.js';
import { emptyNetwork, minutesLater, now, openNetwork } from '../network.js';

const database = useDatabase();

beforeEach(() => emptyNetwork(database.db));

const add = (name: string, owner: string, id: string = randomUUID(), minute = 0) =>
  addAdvertiser(database.db, { id, name, owner }, minutesLater(minute));

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

  it('is listed for its owner and for editors, newest first, page by page', async () => {
    for (const [minute, name] of ['One', 'Two', 'Three'].entries()) await add(name, 'ann', randomUUID(), minute);
    await add('Other', 'ben', randomUUID(), 3);
    const first = await findAdvertisers(database.db, 'ann', { first: 2 });
    const rest = await findAdvertisers(database.db, 'ann', { first: 2, after: first.pageInfo.endCursor });
    const names = [...first.edges, ...rest.edges].map(({ node }) => node.name);
    expect(names).toEqual(['Three', 'Two', 'One']);
    const all = (await findAdvertisers(database.db, null, { first: 10 })).edges;
    expect(all.map(({ node }) => node.name)).toEqual(['Other', ...names]);
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
