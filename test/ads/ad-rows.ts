/** The contract's operations of ads, in the order in which they run. They have their own site, account and product. */
import { expect } from 'vitest';
import { DAY_MS } from '../../src/shared/time.js';
import type { Earlier, Row } from '../contract/row.js';

const text = expect.any(String);
const number = expect.any(Number);
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const pageInfo = { hasNextPage: false, endCursor: text };

const site = 'ads.example';
const zone = 'top';
const name = 'Tea in winter';
const size = '300x250';
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const at = (days: number) => new Date(today + days * DAY_MS).toISOString();
/** Contains today and, if midnight passes, tomorrow. */
const range = { from: at(0), to: at(2) };
const flight = { from: at(-1), to: at(10) };
const caps = [{ scope: 'AD_UNIT', count: 3, period: 'P1D' }];
const placements = [{ site, zone }];
const sku = 'tea-1';
const landingUrl = 'https://anna.example/tea';

const unitInput = (headline: string) => ({
  size,
  headline,
  text: 'From the mountains',
  landingUrl,
  sku,
  keywords: [{ keyword: 'Tea', bid: euros(700) }],
});
const unit = (headline: string) => ({
  id: text,
  size,
  headline,
  text: 'From the mountains',
  html: null,
  landingUrl,
  image: null,
  keywords: [{ keyword: 'tea', bid: euros(700) }],
});

const row = (state: string, fields: object = {}) => ({
  id: text,
  name,
  state,
  endedBy: null,
  priceModel: 'CPM',
  price: euros(500),
  ecpm: 500,
  budget: euros(1000),
  spent: euros(0),
  flight,
  pacing: 'ASAP',
  progress: {
    expected: { amount: number },
    actual: { amount: number },
    share: state === 'RUNNING' ? 1 : 0,
    forecast: { amount: number },
  },
  advertiser: { id: text, name: 'Anna' },
  ...fields,
});
const view = (state: string, adUnits: readonly object[], fields: object = {}) => ({
  ...row(state, fields),
  accountId: text,
  caps,
  placements,
  adUnits,
});
const ad = { campaignId: text, adUnitId: text, ecpm: 500, keywords: ['tea'] };
const zoneView = (ads: readonly object[]) => ({
  id: text,
  site,
  zone,
  size,
  design: 'KEYWORDS',
  floor: 10,
  snippet: expect.stringContaining(`data-zone="${zone}"`),
  ads,
});
const campaignInput = ({ adAdvertiser, adAccount }: Earlier) => ({
  advertiserId: adAdvertiser,
  name,
  accountId: adAccount,
  price: euros(500),
  budget: euros(1000),
  flight,
  pacing: 'ASAP',
  caps,
  placements,
});
const own = ({ adCampaign: id }: Earlier) => ({ id });
const inZone = ({ adVisitor: visitor }: Earlier) => ({ site, zone, visitor, keywords: ['TEA'], count: 2 });
const recorded = { recorded: 1, repeated: 0, rejected: [] };
const point = (impressions: number, clicks: number, conversions: number, spent: number) => ({
  at: text,
  impressions,
  clicks,
  conversions,
  spent,
});

export const adRows: readonly Row[] = [
  {
    operation: 'AddAdvertiser',
    before:
      'mutation { openAccount(input: { owner: "Anna", openingBalance: { amount: 100000, currency: "EUR" } }) { id } }',
    beforeTells: ({ openAccount }: { openAccount: { id: string } }) => ({ adAccount: openAccount.id }),
    variables: { input: { name: 'Anna' }, idempotencyKey: 'anna' },
    expected: { addAdvertiser: { id: text, name: 'Anna', owner: { id: text, name: text } } },
    tells: ({ addAdvertiser }: { addAdvertiser: { id: string } }) => ({ adAdvertiser: addAdvertiser.id }),
  },
  {
    operation: 'SaveZone',
    before: `mutation { registerSite(input: { host: "${site}", allowedOrigins: ["https://${site}"] }) { __typename } }`,
    variables: { input: { site, zone, size, design: 'KEYWORDS', floor: 10 } },
    expected: { saveZone: { __typename: 'Zone', ...zoneView([]) } },
  },
  {
    operation: 'CampaignPlan',
    variables: (earlier) => ({ input: campaignInput(earlier) }),
    expected: {
      campaignPlan: {
        notes: ['top had no visitors in the last seven days'],
        zones: 1,
        expectedImpressions: 0,
        expectedSpend: euros(0),
        rank: 1,
      },
    },
  },
  {
    operation: 'CreateCampaign',
    variables: (earlier) => ({ input: campaignInput(earlier), idempotencyKey: 'tea' }),
    expected: { createCampaign: { __typename: 'Campaign', ...view('DRAFT', []) } },
    tells: ({ createCampaign }: { createCampaign: { id: string } }) => ({ adCampaign: createCampaign.id }),
  },
  {
    operation: 'AddAdUnit',
    before: `mutation { saveProducts(products: [{ sku: "${sku}", title: "Tea", type: "TEA", price: { amount: 250, currency: "EUR" } }]) { saved } restock(sku: "${sku}", quantity: 5, idempotencyKey: "tea") { available } }`,
    variables: ({ adCampaign: campaignId }) => ({ campaignId, input: unitInput('Green tea'), idempotencyKey: 'unit' }),
    expected: { addAdUnit: { __typename: 'AdUnit', ...unit('Green tea') } },
    tells: ({ addAdUnit }: { addAdUnit: { id: string } }) => ({ adUnit: addAdUnit.id }),
  },
  {
    operation: 'ChangeAdUnit',
    variables: ({ adUnit: id }) => ({ id, input: unitInput('Black tea') }),
    expected: { changeAdUnit: { __typename: 'AdUnit', ...unit('Black tea') } },
  },
  {
    operation: 'ProductAds',
    variables: own,
    expected: {
      campaign: {
        id: text,
        accountId: text,
        adUnits: [
          {
            id: text,
            headline: 'Black tea',
            product: { sku, title: 'Tea', price: euros(250), stock: { available: 5 } },
          },
        ],
      },
    },
  },
  {
    operation: 'StartCampaign',
    variables: (earlier) => ({ ...own(earlier), idempotencyKey: 'start' }),
    expected: { startCampaign: { __typename: 'Campaign', ...view('RUNNING', [unit('Black tea')]) } },
  },
  {
    operation: 'Advertisers',
    variables: { own: true },
    expected: {
      advertisers: {
        edges: [
          {
            node: { id: text, name: 'Anna', campaigns: { edges: [{ node: { id: text, name, state: 'RUNNING' } }] } },
          },
        ],
        pageInfo,
      },
    },
  },
  { operation: 'Campaign', variables: own, expected: { campaign: view('RUNNING', [unit('Black tea')]) } },
  { operation: 'Campaigns', variables: {}, expected: { campaigns: { edges: [{ node: row('RUNNING') }], pageInfo } } },
  { operation: 'Zones', variables: { site }, expected: { zones: [zoneView([ad])] } },
  {
    operation: 'DecideAds',
    before: `{ decideAds(site: "${site}", zone: "${zone}") { visitor } }`,
    beforeTells: ({ decideAds }: { decideAds: { visitor: string } }) => ({ adVisitor: decideAds.visitor }),
    variables: inZone,
    page: `https://${site}`,
    expected: {
      decideAds: {
        visitor: text,
        ads: [
          {
            receipt: text,
            adUnitId: text,
            campaignId: text,
            advertiser: 'Anna',
            imageUrl: null,
            headline: 'Black tea',
            text: 'From the mountains',
            frameUrl: null,
            impressionUrl: expect.stringContaining('/ads/seen?receipt='),
            clickUrl: expect.stringContaining('/ads/click?receipt='),
            why: 'Anna pays for ads in this place, because this page is about tea.',
          },
        ],
      },
    },
    tells: ({ decideAds }: { decideAds: { ads: { receipt: string }[] } }) => ({
      adReceipt: decideAds.ads[0]?.receipt ?? '',
    }),
  },
  {
    operation: 'ExplainDecision',
    variables: inZone,
    expected: {
      explainDecision: {
        design: 'KEYWORDS',
        considered: [
          {
            campaign: { id: text, name },
            adUnitId: text,
            ecpm: 700,
            matched: ['tea'],
            score: 700 * Math.log(2.1),
            verdict: 'SHOWN',
            note: 'Shown: score 519.36, matched tea',
          },
        ],
        documentsRead: 2,
        microseconds: number,
      },
    },
  },
  {
    operation: 'RecordImpressions',
    variables: ({ adReceipt }) => ({ receipts: [adReceipt] }),
    page: `https://${site}`,
    expected: { recordImpressions: recorded },
  },
  {
    operation: 'RecordClicks',
    variables: ({ adReceipt }) => ({ receipts: [adReceipt, 'forged'] }),
    page: `https://${site}`,
    expected: {
      recordClicks: { ...recorded, rejected: [{ index: 1, code: 'BAD_USER_INPUT', message: text }] },
    },
  },
  {
    operation: 'RecordConversion',
    variables: ({ adReceipt: receipt }) => ({ receipt, value: euros(250) }),
    page: `https://${site}`,
    expected: { recordConversion: recorded },
  },
  {
    operation: 'AdProfile',
    variables: ({ adVisitor: visitor }) => ({ visitor }),
    page: `https://${site}`,
    expected: {
      adProfile: {
        visitor: text,
        advertisers: [{ advertiser: 'Anna', impressions: 1, clicks: 1, conversions: 1, since: text }],
      },
    },
  },
  {
    operation: 'CampaignStats',
    variables: (earlier) => ({ ...own(earlier), range, unit: 'DAY' }),
    expected: {
      campaignStats: {
        unit: 'DAY',
        impressions: 1,
        clicks: 1,
        conversions: 1,
        conversionValue: { amount: 250 },
        spent: { amount: 1 },
        clickThroughRate: 1,
        points: expect.arrayContaining([point(1, 1, 1, 700), point(0, 0, 0, 0)]),
        byAdUnit: [{ adUnitId: text, impressions: 1, clicks: 1, spent: 700 }],
      },
    },
  },
  {
    operation: 'ZoneStats',
    variables: { site, zone, range },
    expected: {
      zoneStats: { decisions: number, filled: number, impressions: 1, clicks: 1, earned: euros(0) },
    },
  },
  {
    operation: 'CampaignStatsChanged',
    variables: (earlier) => ({ ...own(earlier), last: 'P2D', unit: 'DAY' }),
    expected: {
      campaignStatsChanged: {
        __typename: 'CampaignStatsSnapshot',
        cursor: text,
        reset: false,
        stats: {
          unit: 'DAY',
          impressions: 1,
          clicks: 1,
          spent: { amount: 1 },
          points: expect.arrayContaining([point(1, 1, 1, 700)]),
        },
      },
    },
  },
  {
    operation: 'CampaignChanged',
    variables: own,
    expected: {
      campaignChanged: { cursor: text, reset: false, campaign: row('RUNNING', { spent: euros(1) }) },
    },
    afterwards: {
      operation: 'PauseCampaign',
      variables: own,
      expected: { campaignChanged: { cursor: text, reset: false, campaign: row('PAUSED', { spent: euros(1) }) } },
    },
  },
  {
    operation: 'PauseCampaign',
    variables: own,
    expected: { pauseCampaign: { __typename: 'Campaign', id: text, state: 'PAUSED' } },
  },
  {
    operation: 'ChangeCampaign',
    variables: (earlier) => ({ ...own(earlier), changes: { budget: euros(2000) }, idempotencyKey: 'raise' }),
    expected: {
      changeCampaign: {
        __typename: 'Campaign',
        ...view('PAUSED', [unit('Black tea')], { budget: euros(2000), spent: euros(1) }),
      },
    },
  },
  {
    operation: 'ZoneChanged',
    variables: { site, zone },
    expected: { zoneChanged: { cursor: text, reset: false, zone: zoneView([]) } },
    afterwards: {
      operation: 'StartCampaign',
      variables: (earlier) => ({ ...own(earlier), idempotencyKey: 'again' }),
      expected: { zoneChanged: { cursor: text, reset: false, zone: zoneView([ad]) } },
    },
  },
  {
    operation: 'PostPage',
    before: 'mutation { createNode(input: { type: PAGE, title: "With ads", tags: ["tea"] }) { __typename } }',
    variables: ({ adVisitor: visitor }) => ({ path: '/with-ads', site, zone, visitor, keywords: ['tea'] }),
    expected: {
      nodeByPath: {
        id: text,
        title: 'With ads',
        tags: ['tea'],
        author: { id: text, name: text, profile: { about: 'Sails', followerCount: 0 } },
        parent: null,
        discussion: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
      },
      decideAds: {
        visitor: text,
        ads: [{ receipt: text, headline: 'Black tea', imageUrl: null, clickUrl: text, why: text }],
      },
    },
  },
  {
    operation: 'ExportCampaignStats',
    variables: (earlier) => ({ ...own(earlier), range }),
    expected: {
      exportCampaignStats: { id: text, state: 'WAITING', done: 0, total: null, url: null, expiresAt: null },
    },
  },
  {
    operation: 'ZoneShardAdvice',
    variables: {},
    expected: {
      shardAdvice: Array.from({ length: 3 }, () => ({
        key: text,
        isRecommended: expect.any(Boolean),
        note: text,
        hottestShardShare: number,
        queries: expect.arrayContaining([{ name: 'a decision reads its zone', shardsAsked: number }]),
      })),
    },
  },
  {
    operation: 'ForgetVisitor',
    variables: ({ adVisitor: visitor }) => ({ visitor }),
    page: `https://${site}`,
    expected: { forgetVisitor: { forgotten: true } },
  },
  {
    operation: 'RemoveAdUnit',
    variables: ({ adUnit: id }) => ({ id }),
    expected: { removeAdUnit: { __typename: 'RemovedAdUnit', id: text } },
  },
  {
    operation: 'EndCampaign',
    variables: own,
    expected: { endCampaign: { __typename: 'Campaign', id: text, state: 'ENDED', endedBy: 'HAND', spent: euros(1) } },
  },
  {
    operation: 'RemoveZone',
    variables: { site, zone },
    expected: { removeZone: { __typename: 'RemovedZone', id: text } },
  },
];
