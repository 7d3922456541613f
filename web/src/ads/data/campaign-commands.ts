/** What is done to campaigns. Each returns why it was refused, as a sentence. */
import { graphql } from '../../../generated/gql.js';
import type { CampaignChanges, CampaignInput } from '../../../generated/graphql.js';
import { mutate, mutateOnce } from '../../api/client.js';

/** Connections contain their type even when they are empty. */
const ofCampaigns = { additionalTypenames: ['Campaign', 'CampaignConnection'] };
/** Starting, raising and ending move money. */
const ofMoney = { additionalTypenames: [...ofCampaigns.additionalTypenames, 'Account', 'TransferConnection'] };

const CreateCampaignDocument = graphql(`
  mutation CreateCampaign($input: CampaignInput!, $key: String!) {
    createCampaign(input: $input, idempotencyKey: $key) {
      __typename
      ... on Campaign { id }
      ... on Refusal { message }
    }
  }
`);

const ChangeCampaignDocument = graphql(`
  mutation ChangeCampaign($id: ID!, $changes: CampaignChanges!, $key: String!) {
    changeCampaign(id: $id, changes: $changes, idempotencyKey: $key) {
      __typename
      ... on Campaign { id }
      ... on Refusal { message }
    }
  }
`);

const StartCampaignDocument = graphql(`
  mutation StartCampaign($id: ID!, $key: String!) {
    startCampaign(id: $id, idempotencyKey: $key) {
      __typename
      ... on Campaign { id state }
      ... on Refusal { message }
    }
  }
`);

const PauseCampaignDocument = graphql(`
  mutation PauseCampaign($id: ID!) {
    pauseCampaign(id: $id) {
      __typename
      ... on Campaign { id state }
      ... on Refusal { message }
    }
  }
`);

const EndCampaignDocument = graphql(`
  mutation EndCampaign($id: ID!) {
    endCampaign(id: $id) {
      __typename
      ... on Campaign { id state }
      ... on Refusal { message }
    }
  }
`);

/** @returns the id of the draft, or why it was refused */
export async function createCampaign(input: CampaignInput): Promise<{ readonly id: string } | string> {
  const answer = await mutateOnce(CreateCampaignDocument, { input }, ofCampaigns);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.createCampaign ? answer.createCampaign.message : answer.createCampaign;
}

type Outcome = { readonly message: string } | object;
const refusalOf = (outcome: Outcome): string | null => ('message' in outcome ? outcome.message : null);

export async function changeCampaign(id: string, changes: CampaignChanges): Promise<string | null> {
  const answer = await mutateOnce(ChangeCampaignDocument, { id, changes }, ofMoney);
  return typeof answer === 'string' ? answer : refusalOf(answer.changeCampaign);
}

/** Pays for a draft and starts it, or goes on with a paused one. */
export async function startCampaign(id: string): Promise<string | null> {
  const answer = await mutateOnce(StartCampaignDocument, { id }, ofMoney);
  return typeof answer === 'string' ? answer : refusalOf(answer.startCampaign);
}

export async function pauseCampaign(id: string): Promise<string | null> {
  const answer = await mutate(PauseCampaignDocument, { id }, ofCampaigns);
  return typeof answer === 'string' ? answer : refusalOf(answer.pauseCampaign);
}

export async function endCampaign(id: string): Promise<string | null> {
  const answer = await mutate(EndCampaignDocument, { id }, ofMoney);
  return typeof answer === 'string' ? answer : refusalOf(answer.endCampaign);
}
