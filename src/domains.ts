/** The domains of the product: each with its part of the API, which is loaded on demand, because most commands do without GraphQL. */
import type { Config } from './config/config.js';
import type { CollectionPlan } from './database/index.js';
import { adsDomain } from './models/ads/domain.js';
import { analytics } from './models/analytics/domain.js';
import { commentsDomain } from './models/comments/domain.js';
import { commerce } from './models/commerce/domain.js';
import { content } from './models/content/domain.js';
import type { AssetUses, Domain, Runtime } from './models/domain.js';
import { game } from './models/game/domain.js';
import { people } from './models/people/domain.js';
import type { PersonalDataOfDomain } from './models/personal-data.js';
import { social } from './models/social/domain.js';
import { system } from './models/system/domain.js';
import type { DomainResolvers } from './resolvers/support/domain-resolvers.js';

export interface ListedDomain extends Domain<Config> {
  resolvers(): Promise<{ readonly resolvers: DomainResolvers }>;
}

/** Recovery runs in this order. A new domain adds its import and its entry. */
export const allDomains: readonly ListedDomain[] = [
  { ...commerce, resolvers: () => import('./resolvers/commerce/index.js') },
  { ...adsDomain, resolvers: () => import('./resolvers/ads/index.js') },
  { ...content, resolvers: () => import('./resolvers/content/index.js') },
  { ...social, resolvers: () => import('./resolvers/social/index.js') },
  { ...game, resolvers: () => import('./resolvers/game/index.js') },
  { ...analytics, resolvers: () => import('./resolvers/analytics/index.js') },
  { ...commentsDomain, resolvers: () => import('./resolvers/comments/index.js') },
  { ...people, resolvers: () => import('./resolvers/people/index.js') },
  { ...system, resolvers: () => import('./resolvers/system/index.js') },
];

/** Fields that one domain has of another: `schema/joins/<name>.graphql`, served while both domains are on. */
export interface DomainJoin {
  readonly name: string;
  readonly domains: readonly string[];
  resolvers(): Promise<{ readonly resolvers: DomainResolvers }>;
}

export const allJoins: readonly DomainJoin[] = [
  { name: 'blog-ads', domains: ['ads', 'content'], resolvers: () => import('./resolvers/joins/blog-ads.js') },
  { name: 'node-hits', domains: ['analytics', 'content'], resolvers: () => import('./resolvers/joins/node-hits.js') },
  {
    name: 'profile-nodes',
    domains: ['content', 'social'],
    resolvers: () => import('./resolvers/joins/profile-nodes.js'),
  },
];

/** The domains that the setting DOMAINS enables. */
export const domainsOf = ({ DOMAINS }: Pick<Config, 'DOMAINS'>): readonly ListedDomain[] =>
  allDomains.filter(({ name }) => DOMAINS.includes(name));

export const collectionsOf = (domains: readonly Pick<Domain<Config>, 'collections'>[]): CollectionPlan[] =>
  domains.flatMap(({ collections }) => collections);

const assetUsesOf = (domains: readonly Pick<Domain<Config>, 'assetUses'>[]): AssetUses[] =>
  domains.flatMap(({ assetUses }) => assetUses ?? []);

/** That of all domains, in their order. */
export const allPersonalData: readonly PersonalDataOfDomain[] = allDomains.flatMap(({ name, personalData }) =>
  personalData ? [{ domain: name, ...personalData }] : [],
);

/** What the domains of a process know of each other. */
export const acrossDomains = (config: Pick<Config, 'DOMAINS'>): Pick<Runtime, 'assetUses' | 'personalData'> => ({
  assetUses: { all: assetUsesOf(allDomains), running: assetUsesOf(domainsOf(config)) },
  personalData: allPersonalData,
});
