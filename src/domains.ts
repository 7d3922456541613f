/** The domains of the product. Only the programs (server, threads, commands) import this list, and pass on what is open. */
import type { Config } from './config/config.js';
import type { CollectionPlan } from './database/index.js';
import { analytics } from './models/analytics/domain.js';
import { commerce } from './models/commerce/domain.js';
import type { Domain } from './models/domain.js';
import { people } from './models/people/domain.js';
import { system } from './models/system/domain.js';

/** Recovery runs in this order. */
export const allDomains: readonly Domain<Config>[] = [commerce, analytics, people, system];

/** Those that this process runs. */
export const domainsOf = ({ DOMAINS }: Pick<Config, 'DOMAINS'>): readonly Domain<Config>[] =>
  allDomains.filter(({ name }) => DOMAINS.includes(name));

export const collectionsOf = (domains: readonly Pick<Domain<Config>, 'collections'>[]): CollectionPlan[] =>
  domains.flatMap(({ collections }) => collections);
