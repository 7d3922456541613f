/** The sites and their mutations. */

import { graphql } from '../../../generated/gql.js';
import type { SitesQuery } from '../../../generated/graphql.js';
import { client, explainError } from '../../api/client.js';
import { useData } from '../../api/use-data.js';

export type Site = SitesQuery['sites'][number];

const SitesDocument = graphql(`
  query Sites {
    sites { __typename id host allowedOrigins snippet createdAt }
  }
`);

const RegisterSiteDocument = graphql(`
  mutation RegisterSite($input: RegisterSiteInput!) {
    registerSite(input: $input) {
      __typename
      ... on Site { id host allowedOrigins snippet createdAt }
      ... on Refusal { message }
    }
  }
`);

const ChangeSiteOriginsDocument = graphql(`
  mutation ChangeSiteOrigins($host: String!, $allowedOrigins: [String!]!) {
    changeSiteOrigins(host: $host, allowedOrigins: $allowedOrigins) {
      __typename
      ... on Site { id host allowedOrigins snippet createdAt }
      ... on Refusal { message }
    }
  }
`);

const nothing = {};
/** An empty list contains no type by which the cache could tell that it has changed. */
const ofSites = { additionalTypenames: ['Site'] };
export const useSites = () => useData(SitesDocument, nothing, ofSites);

/** @returns the site, which is then in the list unless the refetch fails; or why it was refused */
export async function registerSite(host: string, allowedOrigins: string[]): Promise<Site | string> {
  const { data, error } = await client.mutation(RegisterSiteDocument, { input: { host, allowedOrigins } }).toPromise();
  if (!data) return error ? explainError(error) : 'The server did not respond.';
  if (data.registerSite.__typename !== 'Site') return data.registerSite.message;
  await client.query(SitesDocument, nothing, { ...ofSites, requestPolicy: 'network-only' }).toPromise();
  return data.registerSite;
}

/** @returns the site, or why it was refused */
export async function changeOrigins(host: string, allowedOrigins: string[]): Promise<Site | string> {
  const { data, error } = await client.mutation(ChangeSiteOriginsDocument, { host, allowedOrigins }).toPromise();
  if (!data) return error ? explainError(error) : 'The server did not respond.';
  return data.changeSiteOrigins.__typename === 'Site' ? data.changeSiteOrigins : data.changeSiteOrigins.message;
}
