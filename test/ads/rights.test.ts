/** Advertisers see and change only what is theirs: whatever they ask for of somebody else's is answered as if it did not exist. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAdvertiser } from '../../src/models/ads/advertisers/advertiser.js';
import { toGlobalId } from '../../src/shared/global-id.js';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { addSignedIn, type SignedIn } from '../support/people.js';
import { useServer } from '../support/server.js';
import { type Network, openNetwork, SITE, SIZE } from './network.js';

const database = useDatabase();
const server = useServer(database);
const range = `{ from: "${new Date(Date.now() - DAY_MS).toISOString()}", to: "${new Date().toISOString()}" }`;
const flight = `{ to: "${new Date(Date.now() + DAY_MS).toISOString()}" }`;
const unit = `{ size: "${SIZE}", headline: "Mine", landingUrl: "https://ann.example/" }`;
const money = '{ amount: 5, currency: "EUR" }';

let network: Network;
let ann: SignedIn;
/** Of somebody else. */
let foreign: Readonly<Record<'campaign' | 'advertiser' | 'unit' | 'account', string>>;
let own: Readonly<Record<'campaign' | 'advertiser', string>>;

beforeAll(async () => {
  const { db } = database;
  network = await openNetwork(db, { now: new Date() });
  await network.zone('top');
  ann = await addSignedIn(db, server.services.config, 'ann', 'ADVERTISER');
  const campaign = await network.run();
  const [shown] = await network.adsOf('top');
  foreign = {
    campaign: toGlobalId('Campaign', campaign._id),
    advertiser: toGlobalId('Advertiser', network.advertiser._id),
    unit: toGlobalId('AdUnit', shown?.ad_unit_id ?? ''),
    account: toGlobalId('Account', network.account._id),
  };
  const advertiser = await addAdvertiser(db, { id: randomUUID(), name: 'Ann’s', owner: ann.reference._id }, new Date());
  own = {
    campaign: toGlobalId('Campaign', (await network.draft({}, advertiser))._id),
    advertiser: toGlobalId('Advertiser', advertiser._id),
  };
});

const ask = (operation: string) => server.request(operation, {}, ann.token);
const stored = async () => {
  const names = ['advertisers', 'campaigns', 'units', 'zones', 'stats', 'receipts'].map((name) => `ad.${name}`);
  return Promise.all(
    [...names, 'work', 'accounts', 'transactions'].map((name) => database.db.collection(name).find().toArray()),
  );
};

describe('an advertiser', () => {
  it('finds all zones, without the ads of others, page by page', async () => {
    await network.zone('bottom', { floor: 200 });
    const text = (after: string) =>
      `{ offeredZones(first: 1${after}) { edges { cursor node { site zone size design floor } } pageInfo { hasNextPage } } }`;
    type Page = { offeredZones: { edges: { cursor: string; node: object }[]; pageInfo: { hasNextPage: boolean } } };
    const { data: first } = await server.request<Page>(text(''), {}, ann.token);
    const [edge] = first?.offeredZones.edges ?? [];
    expect(edge?.node).toEqual({ site: SITE, zone: 'bottom', size: SIZE, design: 'BASIC', floor: 200 });
    expect(first?.offeredZones.pageInfo.hasNextPage).toBe(true);
    const { data: second } = await server.request<Page>(text(`, after: "${edge?.cursor}"`), {}, ann.token);
    expect(second?.offeredZones).toMatchObject({
      edges: [{ node: { zone: 'top' } }],
      pageInfo: { hasNextPage: false },
    });
    const member = await addSignedIn(database.db, server.services.config, 'mel', 'MEMBER');
    const refused = await server.request(text(''), {}, member.token);
    expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  it('finds only what is theirs', async () => {
    const { data } = await ask(`{
      campaign(id: "${foreign.campaign}") { id }
      campaignStats(id: "${foreign.campaign}", range: ${range}) { impressions }
      theirs: node(id: "${foreign.campaign}") { id }
      theirAdvertiser: node(id: "${foreign.advertiser}") { id }
      theirUnit: node(id: "${foreign.unit}") { id }
      mine: node(id: "${own.campaign}") { id }
      myAdvertiser: node(id: "${own.advertiser}") { id }
      running: campaigns(state: RUNNING) { edges { node { id } } }
      drafts: campaigns(state: DRAFT) { edges { node { id } } }
      advertisers { edges { node { id } } }
    }`);
    expect(data).toEqual({
      campaign: null,
      campaignStats: null,
      theirs: null,
      theirAdvertiser: null,
      theirUnit: null,
      mine: { id: own.campaign },
      myAdvertiser: { id: own.advertiser },
      running: { edges: [] },
      drafts: { edges: [{ node: { id: own.campaign } }] },
      advertisers: { edges: [{ node: { id: own.advertiser } }] },
    });
  });

  it.each([
    [
      'changeCampaign',
      () => `changeCampaign(id: "${foreign.campaign}", changes: { name: "Mine" })`,
      'CampaignNotFound',
    ],
    ['startCampaign', () => `startCampaign(id: "${foreign.campaign}", idempotencyKey: "a")`, 'CampaignNotFound'],
    ['pauseCampaign', () => `pauseCampaign(id: "${foreign.campaign}")`, 'CampaignNotFound'],
    ['endCampaign', () => `endCampaign(id: "${foreign.campaign}")`, 'CampaignNotFound'],
    ['addAdUnit', () => `addAdUnit(campaignId: "${foreign.campaign}", input: ${unit})`, 'CampaignNotFound'],
    ['changeAdUnit', () => `changeAdUnit(id: "${foreign.unit}", input: ${unit})`, 'AdUnitNotFound'],
    ['removeAdUnit', () => `removeAdUnit(id: "${foreign.unit}")`, 'AdUnitNotFound'],
    ['createCampaign for another advertiser', () => creating(foreign.advertiser), 'AdvertiserNotFound'],
    ['createCampaign with the account of another user', () => creating(own.advertiser), 'AccountNotFound'],
  ])('changes only what is theirs: %s', async (_case, mutation, refusal) => {
    const before = await stored();
    expect((await ask(`mutation { answer: ${mutation()} { __typename } }`)).data).toEqual({
      answer: { __typename: refusal },
    });
    expect(await stored()).toEqual(before);
  });

  it.each([
    [
      'an export',
      () => `mutation { exportCampaignStats(id: "${foreign.campaign}", range: ${range}) { id } }`,
      'NOT_FOUND',
    ],
    [
      'a plan for another advertiser',
      () => `{ campaignPlan(input: ${input(foreign.advertiser)}) { zones } }`,
      'BAD_USER_INPUT',
    ],
    ['the zones of a site', () => `{ zones(site: "${SITE}") { zone } }`, 'FORBIDDEN'],
    [
      'the statistics of a zone',
      () => `{ zoneStats(site: "${SITE}", zone: "top", range: ${range}) { earned { amount } } }`,
      'FORBIDDEN',
    ],
    [
      'an export of a zone',
      () => `mutation { exportZoneStats(site: "${SITE}", zone: "top", range: ${range}) { id } }`,
      'FORBIDDEN',
    ],
    [
      'the ads of others in a decision',
      () => `{ explainDecision(site: "${SITE}", zone: "top") { design } }`,
      'FORBIDDEN',
    ],
    [
      'a zone of their own',
      () => `mutation { saveZone(input: { site: "${SITE}", zone: "new", size: "1x1" }) { __typename } }`,
      'FORBIDDEN',
    ],
    [
      'the removal of a zone',
      () => `mutation { removeZone(site: "${SITE}", zone: "top") { __typename } }`,
      'FORBIDDEN',
    ],
  ])('is refused %s', async (_case, operation, code) => {
    const before = await stored();
    expect((await ask(operation())).errors).toMatchObject([{ extensions: { code } }]);
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['campaignChanged', () => `campaignChanged(id: "${foreign.campaign}") { cursor }`, 'NOT_FOUND'],
    ['campaignStatsChanged', () => `campaignStatsChanged(id: "${foreign.campaign}") { cursor }`, 'NOT_FOUND'],
    ['zoneChanged', () => `zoneChanged(site: "${SITE}", zone: "top") { cursor }`, 'FORBIDDEN'],
    ['zoneStatsChanged', () => `zoneStatsChanged(site: "${SITE}", zone: "top") { cursor }`, 'FORBIDDEN'],
  ])('follows only what is theirs: %s', async (_case, field, code) => {
    const events = server.connect(ann.token).iterate({ query: `subscription { ${field()} }` });
    expect((await events.next()).value?.errors).toMatchObject([{ extensions: { code } }]);
    await events.return?.();
  });
});

const input = (advertiser: string) =>
  `{ advertiserId: "${advertiser}", accountId: "${foreign.account}", name: "Mine", price: ${money}, budget: ${money}, flight: ${flight} }`;
const creating = (advertiser: string) => `createCampaign(input: ${input(advertiser)})`;

describe('the audit trail', () => {
  const trail = async () => {
    const entries = await database.db
      .collection('audit')
      .find({ action: 'CAMPAIGN_CHANGED' })
      .sort({ at: 1, _id: 1 })
      .toArray();
    return entries.map(({ actor, on_behalf_of, subject, detail }) => ({ actor, on_behalf_of, subject, detail }));
  };
  type Added = { addAdUnit: { id: string } };

  it('has what editors change in the campaign of another user, once, and nothing of its owner', async () => {
    const editor = await addSignedIn(database.db, server.services.config, 'ed', 'EDITOR');
    const actAs = async (token: string) => {
      const tell = async <Data>(act: string) => {
        const { data, errors } = await server.request<Data>(`mutation { ${act} }`, {}, token);
        expect(errors).toBeUndefined();
        return data;
      };
      const id = own.campaign;
      const added = await tell<Added>(`addAdUnit(campaignId: "${id}", input: ${unit}) { ... on AdUnit { id } }`);
      const unitId = added?.addAdUnit.id;
      await tell(`changeAdUnit(id: "${unitId}", input: ${unit}) { __typename }`);
      const changes = 'changes: { price: { amount: 700, currency: "EUR" }, pacing: EVEN }';
      for (const key of ['"one"', '"one"'])
        await tell(`changeCampaign(id: "${id}", ${changes}, idempotencyKey: ${key}) { __typename }`);
      for (let n = 0; n < 2; n += 1) await tell(`removeAdUnit(id: "${unitId}") { __typename }`);
      for (let n = 0; n < 2; n += 1) await tell(`endCampaign(id: "${id}") { __typename }`);
    };
    await actAs(editor.token);
    const { _id } = (await database.db
      .collection<{ _id: string; owner: string }>('ad.campaigns')
      .findOne({ owner: ann.reference._id })) ?? { _id: '' };
    const entry = { actor: 'ed@example.org', on_behalf_of: 'ann@example.org', subject: _id };
    expect(await trail()).toEqual(
      ['ad unit added', 'ad unit changed', 'price 700 minor units of EUR, pacing', 'ad unit removed', 'ended'].map(
        (detail) => ({
          ...entry,
          detail,
        }),
      ),
    );
    await database.db.collection('audit').deleteMany({});
    const advertiser = await addAdvertiser(
      database.db,
      { id: randomUUID(), name: 'Ann’s', owner: ann.reference._id },
      new Date(),
    );
    own = { ...own, campaign: toGlobalId('Campaign', (await network.draft({}, advertiser))._id) };
    await actAs(ann.token);
    expect(await trail()).toEqual([]);
  });
});
