/** What to expect of a campaign. Stores nothing. */
import { graphql } from '../../../generated/gql.js';
import type { CampaignInput } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';

const CampaignPlanDocument = graphql(`
  query CampaignPlan($input: CampaignInput!) {
    campaignPlan(input: $input) { notes zones expectedImpressions expectedSpend { amount currency } rank }
  }
`);

/** @param input null: it is not complete yet */
export const usePlan = (input: CampaignInput | null) => useData(CampaignPlanDocument, input && { input });
