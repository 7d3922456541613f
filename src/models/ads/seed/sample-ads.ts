/** The sample ads: two businesses with campaigns in every state, in the zones of a site. All of them are invented. */
import { SAMPLE_AD_SITE } from '../../analytics/seed/sample-site.js';
import type { DrawingName } from '../../system/sample-pictures/drawing.js';
import type { Pacing, PriceModel } from '../campaigns/campaign.js';
import type { FrequencyCapInput } from '../profiles/frequency-cap.js';
import type { ZoneDesign, ZoneInput } from '../zones/zone.js';

const BOX = '300x250';
const BANNER = '728x90';

const zone = (name: string, size: string, design: ZoneDesign, floor = 0): ZoneInput => ({
  site: SAMPLE_AD_SITE,
  zone: name,
  size,
  design,
  floor,
});

export const sampleZones: readonly ZoneInput[] = [
  zone('front', BANNER, 'BASIC', 100),
  zone('article', BOX, 'KEYWORDS'),
  zone('margin', BOX, 'CAPPED'),
];

export interface SampleUnit {
  readonly size: string;
  readonly headline?: string;
  readonly text?: string;
  readonly html?: string;
  readonly picture?: DrawingName;
  readonly landingUrl: string;
  /** With bids in minor units. */
  readonly keywords?: Readonly<Record<string, number>>;
  /** In a day, about. */
  readonly impressions: number;
  /** The zone in which they are. */
  readonly zone: string;
}

export interface SampleCampaign {
  readonly key: string;
  readonly advertiser: keyof typeof sampleAdvertisers;
  readonly name: string;
  readonly priceModel: PriceModel;
  /** Minor units. */
  readonly price: number;
  readonly budget: number;
  readonly pacing: Pacing;
  readonly days: number;
  readonly caps?: readonly FrequencyCapInput[];
  readonly zones: readonly string[];
  readonly units: readonly SampleUnit[];
  readonly becomes: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'ENDED';
}

export const sampleAdvertisers = { sails: 'Quist & Daughters, sailmakers', charts: 'Haddad Charts' } as const;

const HTML = `<style>
  body { margin: 0; font: 16px/1.3 Georgia, serif }
  a { display: grid; place-content: center; height: 100vh; text-align: center; color: #f4efe2; background: #1d3b4f; text-decoration: none }
  strong { font-size: 1.5em }
</style>
<a href="{{clickUrl}}"><strong>Five knots</strong>that hold, in one evening.</a>`;

export const sampleCampaigns: readonly SampleCampaign[] = [
  {
    key: 'summer',
    advertiser: 'sails',
    name: 'Sails before the summer',
    priceModel: 'CPM',
    price: 450,
    budget: 4_000,
    pacing: 'EVEN',
    days: 42,
    zones: ['front', 'article'],
    becomes: 'RUNNING',
    units: [
      {
        size: BANNER,
        headline: 'A mainsail for your boat, in four weeks',
        text: 'Measured at your mooring, cut in our loft.',
        landingUrl: 'https://sails.example/mainsail',
        impressions: 110,
        zone: 'front',
      },
      {
        size: BOX,
        headline: 'Torn on Sunday, sewn by Friday',
        text: 'Repairs of all sails, also of those that we have not made.',
        picture: 'dusk',
        landingUrl: 'https://sails.example/repairs',
        keywords: { sailing: 700, boats: 600 },
        impressions: 90,
        zone: 'article',
      },
    ],
  },
  {
    key: 'charts',
    advertiser: 'charts',
    name: 'Charts by the piece',
    priceModel: 'CPC',
    price: 35,
    budget: 3_000,
    pacing: 'ASAP',
    days: 30,
    zones: ['article', 'margin'],
    becomes: 'RUNNING',
    units: [
      {
        size: BOX,
        headline: 'The chart that you need, printed today',
        text: 'All coasts between Bergen and Beirut.',
        picture: 'chart',
        landingUrl: 'https://charts.example/print',
        keywords: { charts: 60, navigation: 50, tides: 40 },
        impressions: 80,
        zone: 'article',
      },
    ],
  },
  {
    key: 'knots',
    advertiser: 'sails',
    name: 'An evening of knots',
    priceModel: 'CPM',
    price: 300,
    budget: 1_500,
    pacing: 'ASAP',
    days: 14,
    caps: [{ scope: 'CAMPAIGN', count: 3, period: { ms: 86_400_000 } }],
    zones: ['margin'],
    becomes: 'PAUSED',
    units: [{ size: BOX, html: HTML, landingUrl: 'https://sails.example/knots', impressions: 60, zone: 'margin' }],
  },
  {
    key: 'tides',
    advertiser: 'charts',
    name: 'Tide tables of the year',
    priceModel: 'CPM',
    price: 250,
    budget: 1_000,
    pacing: 'ASAP',
    days: 10,
    zones: ['front'],
    becomes: 'ENDED',
    units: [
      {
        size: BANNER,
        headline: 'High water is when it suits you',
        text: 'Tide tables of the year, at half the price from June.',
        landingUrl: 'https://charts.example/tides',
        impressions: 70,
        zone: 'front',
      },
    ],
  },
  {
    key: 'winter',
    advertiser: 'sails',
    name: 'Winter storage',
    priceModel: 'CPM',
    price: 400,
    budget: 2_000,
    pacing: 'EVEN',
    days: 60,
    zones: ['front'],
    becomes: 'DRAFT',
    units: [
      {
        size: BANNER,
        headline: 'Dry until spring',
        landingUrl: 'https://sails.example/storage',
        impressions: 0,
        zone: 'front',
      },
    ],
  },
];
