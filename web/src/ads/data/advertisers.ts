/** Advertisers: the viewer's own; for editors, all. */
import { graphql } from '../../../generated/gql.js';
import type { AdvertisersQuery } from '../../../generated/graphql.js';
import { mutateOnce } from '../../api/client.js';
import { useData } from '../../api/use-data.js';

export type Advertiser = AdvertisersQuery['advertisers']['edges'][number]['node'];

export const AdvertisersDocument = graphql(`
  query Advertisers($own: Boolean!, $first: Int!, $after: String) {
    advertisers(own: $own, first: $first, after: $after) {
      edges { cursor node { __typename id name owner { id name } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const AddAdvertiserDocument = graphql(`
  mutation AddAdvertiser($input: AdvertiserInput!, $key: String!) {
    addAdvertiser(input: $input, idempotencyKey: $key) { __typename id name }
  }
`);

/** A connection contains its type even when it is empty. */
const ofAdvertisers = { additionalTypenames: ['Advertiser', 'AdvertiserConnection'] };
const choice = { own: false, first: 100 };

/** The advertisers that the viewer can choose from, at most 100. */
export function useAdvertisers() {
  const { data, error, again } = useData(AdvertisersDocument, choice, ofAdvertisers);
  return { advertisers: data?.advertisers.edges.map(({ node }) => node) ?? null, error, again };
}

/** @param ownerId null: the viewer @returns the advertiser, or why it was refused */
export async function addAdvertiser(
  name: string,
  ownerId: string | null,
): Promise<{ readonly id: string; readonly name: string } | string> {
  const answer = await mutateOnce(AddAdvertiserDocument, { input: { name, ownerId } }, ofAdvertisers);
  return typeof answer === 'string' ? answer : answer.addAdvertiser;
}
