/** Ad units: adding, changing and removing them. The campaign's page follows them. */
import { graphql } from '../../../generated/gql.js';
import type { AdUnitInput } from '../../../generated/graphql.js';
import { mutate, mutateOnce } from '../../api/client.js';

const AddAdUnitDocument = graphql(`
  mutation AddAdUnit($campaignId: ID!, $input: AdUnitInput!, $key: String!) {
    addAdUnit(campaignId: $campaignId, input: $input, idempotencyKey: $key) {
      __typename
      ... on AdUnit { id }
      ... on Refusal { message }
    }
  }
`);

const ChangeAdUnitDocument = graphql(`
  mutation ChangeAdUnit($id: ID!, $input: AdUnitInput!) {
    changeAdUnit(id: $id, input: $input) {
      __typename
      ... on AdUnit { id }
      ... on Refusal { message }
    }
  }
`);

const RemoveAdUnitDocument = graphql(`
  mutation RemoveAdUnit($id: ID!) {
    removeAdUnit(id: $id) {
      __typename
      ... on RemovedAdUnit { id }
      ... on Refusal { message }
    }
  }
`);

/** @param id null: a new one @returns why it was refused, or null */
export async function saveAdUnit(campaignId: string, id: string | null, input: AdUnitInput): Promise<string | null> {
  if (id === null) {
    const added = await mutateOnce(AddAdUnitDocument, { campaignId, input });
    if (typeof added === 'string') return added;
    return 'message' in added.addAdUnit ? added.addAdUnit.message : null;
  }
  const changed = await mutate(ChangeAdUnitDocument, { id, input });
  if (typeof changed === 'string') return changed;
  return 'message' in changed.changeAdUnit ? changed.changeAdUnit.message : null;
}

/** @returns why it was refused, or null */
export async function removeAdUnit(id: string): Promise<string | null> {
  const answer = await mutate(RemoveAdUnitDocument, { id });
  if (typeof answer === 'string') return answer;
  return 'message' in answer.removeAdUnit ? answer.removeAdUnit.message : null;
}
