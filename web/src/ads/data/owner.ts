/** Owners of an advertiser see it, whatever their roles are. */
import { graphql } from '../../../generated/gql.js';
import { uncachedClient } from '../../api/client.js';

const OwnAdvertiserDocument = graphql(`
  query OwnAdvertiser {
    advertisers(own: true, first: 1) { edges { node { __typename id } } }
  }
`);

/** @throws Error the server did not answer */
export async function ownsAdvertiser(): Promise<boolean> {
  const { data, error } = await uncachedClient.query(OwnAdvertiserDocument, {}).toPromise();
  if (!data) throw error ?? new Error('The server did not respond');
  return data.advertisers.edges.length > 0;
}
