/** The example operations: a file for each domain, all operations of a file in one tab. */

import { DAY_MS } from '../src/analytics/chart/slots.js';
import { SiteHostsDocument } from '../src/analytics/sites/site-hosts.js';
import { client } from '../src/api/client.js';

export interface Example {
  /** The file's name: the domain. */
  readonly name: string;
  readonly text: string;
}

const files = import.meta.glob<string>('./examples/*.graphql', { query: '?raw', import: 'default', eager: true });

export const examples: readonly Example[] = Object.entries(files).map(([path, text]) => ({
  name: path.replace(/^.*\/(\d+-)?(.*)\.graphql$/, '$2').replaceAll('-', ' '),
  text,
}));

export type ExampleValues = Readonly<Record<string, unknown>>;

/** What writes hits or requests writes them here, and not to a site that somebody looks after. */
const EXAMPLE_SITE = 'example.org';

/**
 * Values with which the examples run as they are: the first site, its front page, the last week.
 * @param readsSites whether whoever is here may ask for the sites
 */
export async function findExampleValues(readsSites: boolean, now: Date): Promise<ExampleValues> {
  const { data } = readsSites ? await client.query(SiteHostsDocument, {}).toPromise() : { data: undefined };
  const site = data?.sites[0]?.host ?? EXAMPLE_SITE;
  const range = {
    from: new Date(now.getTime() - 7 * DAY_MS).toISOString(),
    to: new Date(now.getTime() + DAY_MS).toISOString(),
  };
  return {
    site,
    exampleSite: EXAMPLE_SITE,
    page: '/',
    at: now.toISOString(),
    range,
    id: '',
    cartId: '',
    sku: 'SX-0001',
  };
}

/** The variables of an example as the editor takes them: those that its operations name. */
export function variablesOf({ text }: Example, values: ExampleValues): string {
  const used = Object.entries(values).filter(([name]) => text.includes(`$${name}:`));
  return JSON.stringify(Object.fromEntries(used), null, 2);
}
