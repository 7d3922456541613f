/** The state of a campaign as a badge, with the reason of its end. */
import type { CampaignEnd, CampaignState } from '../../../generated/graphql.js';
import { StateBadge, type Tone } from '../../commerce/back-office/parts/state-badge.js';
import { type CampaignRow, campaignStates, scheduled, useIsScheduled } from '../data/campaigns.js';

const tones: Readonly<Record<CampaignState, Tone>> = { DRAFT: 'open', RUNNING: 'done', PAUSED: 'busy', ENDED: 'over' };

const ends: Readonly<Record<CampaignEnd, string>> = {
  DATE: 'Its flight was over',
  BUDGET: 'Its budget was used up',
  HAND: 'Somebody ended it',
};

/** Why it ended. Null until then. */
export const endWords = ({ endedBy }: Pick<CampaignRow, 'endedBy'>): string | null => (endedBy ? ends[endedBy] : null);

export function CampaignBadge({ campaign }: { readonly campaign: Pick<CampaignRow, 'state' | 'endedBy' | 'flight'> }) {
  const isScheduled = useIsScheduled(campaign);
  const { name, meaning } = isScheduled ? scheduled : campaignStates[campaign.state];
  const tone = isScheduled ? 'busy' : tones[campaign.state];
  return <StateBadge words={{ name, meaning: endWords(campaign) ?? meaning }} tone={tone} />;
}
