/** The mutations of ads. Each step needs the previous ones. */
import type { Known, MutationStep } from '../../support/domain/mutation-step.js';

const euros = (amount: number) => `{ amount: ${amount}, currency: "EUR" }`;
const id = (name: string) => (field: Readonly<Record<string, string>>) => ({ [name]: String(field.id) });
const flight = () => `{ to: "${new Date(Date.now() + 86_400_000).toISOString()}" }`;
const unit = (headline: string) =>
  `{ size: "300x250", headline: "${headline}", landingUrl: "https://anna.example/", keywords: [{ keyword: "tea", bid: ${euros(9)} }] }`;

const tea = (advertiser: string | undefined, account: string | undefined) =>
  `{ advertiserId: "${advertiser}", accountId: "${account}", name: "Tea", price: ${euros(500)}, budget: ${euros(1000)}, flight: ${flight()}, placements: [{ site: "steps.example", zone: "top" }] }`;

export const mutationSteps: readonly MutationStep[] = [
  {
    mutation: 'registerSite',
    text: () => '(input: { host: "steps.example", allowedOrigins: [] }) { __typename }',
  },
  {
    mutation: 'openAccount',
    text: () => `(input: { owner: "Advertising", openingBalance: ${euros(100_000)} }) { id }`,
    tells: id('adAccount'),
  },
  { mutation: 'addAdvertiser', text: () => '(input: { name: "Anna" }) { id }', tells: id('advertiser') },
  {
    mutation: 'saveZone',
    text: () => '(input: { site: "steps.example", zone: "top", size: "300x250" }) { __typename }',
  },
  {
    mutation: 'createCampaign',
    text: ({ advertiser, adAccount }) => `(input: ${tea(advertiser, adAccount)}) { ... on Campaign { id } }`,
    tells: id('campaign'),
  },
  {
    mutation: 'addAdUnit',
    text: ({ campaign }) => `(campaignId: "${campaign}", input: ${unit('One')}) { __typename }`,
    isUnaudited: true,
  },
  { mutation: 'startCampaign', text: ({ campaign }) => `(id: "${campaign}", idempotencyKey: "start") { __typename }` },
  {
    mutation: 'changeCampaign',
    text: ({ campaign }) => `(id: "${campaign}", changes: { budget: ${euros(2000)} }) { __typename }`,
  },
  // From here on another user's: what is changed in the campaign is in the audit trail.
  {
    mutation: 'signUp',
    text: () =>
      '(input: { email: "adela@example.org", password: "correct horse battery staple", name: "Adela" }) { ... on SignedIn { viewer { id } } }',
    tells: ({ viewer }) => ({ adela: (viewer as unknown as Known).id ?? '' }),
    as: 'visitor',
  },
  {
    mutation: 'addAdvertiser',
    text: ({ adela }) => `(input: { name: "Adela", ownerId: "${adela}" }) { id }`,
    tells: id('herAdvertiser'),
  },
  {
    mutation: 'createCampaign',
    text: ({ herAdvertiser, adAccount }) => `(input: ${tea(herAdvertiser, adAccount)}) { ... on Campaign { id } }`,
    tells: id('herCampaign'),
  },
  {
    mutation: 'addAdUnit',
    text: ({ herCampaign }) => `(campaignId: "${herCampaign}", input: ${unit('One')}) { ... on AdUnit { id } }`,
    tells: id('adUnit'),
  },
  { mutation: 'changeAdUnit', text: ({ adUnit }) => `(id: "${adUnit}", input: ${unit('Two')}) { __typename }` },
  {
    mutation: 'startCampaign',
    text: ({ herCampaign }) => `(id: "${herCampaign}", idempotencyKey: "start hers") { __typename }`,
  },
  { mutation: 'pauseCampaign', text: ({ herCampaign }) => `(id: "${herCampaign}") { __typename }` },
  { mutation: 'removeAdUnit', text: ({ adUnit }) => `(id: "${adUnit}") { __typename }` },
  {
    mutation: 'exportCampaignStats',
    text: ({ campaign }) =>
      `(id: "${campaign}", range: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }) { id }`,
  },
  {
    mutation: 'exportZoneStats',
    text: () =>
      '(site: "steps.example", zone: "top", range: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }) { id }',
  },
  { mutation: 'endCampaign', text: ({ herCampaign }) => `(id: "${herCampaign}") { __typename }` },
  { mutation: 'removeZone', text: () => '(site: "steps.example", zone: "top") { __typename }' },
];
