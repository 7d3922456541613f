/**
 * The example operations: a tab for each file, in the order of the numbers in the file names. Those in a domain's folder
 * need a server that runs the domain.
 */

import { DAY_MS } from '../src/analytics/chart/slots.js';
import { SiteHostsDocument } from '../src/analytics/sites/site-hosts.js';
import { client } from '../src/api/client.js';

export interface Example {
  /** The file name without its number and extension, for example `request log`. */
  readonly name: string;
  readonly text: string;
}

const files = import.meta.glob<string>('./examples/**/*.graphql', { query: '?raw', import: 'default', eager: true });

/** `./examples/analytics/2-charts.graphql`: the domain, if any, the number, and the name. */
const FILE = /^\.\/examples\/(?:(.*)\/)?(\d+-(.*))\.graphql$/;

const examples = Object.entries(files)
  .map(([path, text]) => {
    const [, domain, file = '', name = ''] = FILE.exec(path) ?? [];
    return { domain, file, name: name.replaceAll('-', ' '), text };
  })
  .sort((one, other) => one.file.localeCompare(other.file));

/** The examples for a server that runs these domains. */
export const examplesOf = (domains: readonly string[]): readonly Example[] =>
  examples.filter(({ domain }) => domain === undefined || domains.includes(domain));

export type ExampleValues = Readonly<Record<string, unknown>>;

/** Examples that write hits or requests use this site, so that they do not change the data of a real one. */
const EXAMPLE_SITE = 'example.org';

/**
 * Values with which the examples run as they are: the first site, its front page, the last week.
 * @param readsSites whether the viewer may query the sites
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
    blogId: '',
    nodeId: '',
    nonce: '',
    commentId: '',
    cartId: '',
    sku: 'SX-0001',
    userId: '',
    circleId: '',
    postId: '',
    characterId: '',
    advertiserId: '',
    accountId: '',
    campaignId: '',
    flightEnd: new Date(now.getTime() + 7 * DAY_MS).toISOString(),
    visitor: '',
    receipt: '',
  };
}

/** The variables that the example's operations declare, as JSON for the editor. */
export function variablesOf({ text }: Example, values: ExampleValues): string {
  const used = Object.entries(values).filter(([name]) => text.includes(`$${name}:`));
  return JSON.stringify(Object.fromEntries(used), null, 2);
}
