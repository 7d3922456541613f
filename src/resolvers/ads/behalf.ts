/** For the audit trail: what an editor changes in another user's campaign. */
import type { CampaignDocument } from '../../models/ads/campaigns/campaign.js';
import type { CampaignChanges } from '../../models/ads/campaigns/campaign-input.js';
import { writeAmount } from '../../models/commerce/money/money.js';
import { type AuditDocument, intendAct } from '../../models/people/audit.js';
import { findAddress } from '../../models/people/user.js';
import type { Context } from '../../server/context/context.js';
import { actOfViewer } from '../people/act.js';

/** @param detail what is done @returns undefined when the campaign is the viewer's own */
export async function entryOfChange(
  context: Context,
  { _id, owner }: Pick<CampaignDocument, '_id' | 'owner'>,
  detail: string,
): Promise<AuditDocument | undefined> {
  if (owner === context.viewer.id) return undefined;
  const onBehalf = owner !== null && { onBehalfOf: await findAddress(context.db, owner) };
  const act = { ...(await actOfViewer(context)), ...onBehalf };
  return intendAct(act, { action: 'CAMPAIGN_CHANGED', subject: _id, detail });
}

/** The changed fields, with the price and the budget. */
export function detailOf({ price, budget, ...others }: CampaignChanges): string {
  const amounts = Object.entries({ price, budget }).flatMap(([field, value]) =>
    value ? `${field} ${writeAmount(value.amount, value.currency)}` : [],
  );
  const fields = Object.entries(others).flatMap(([field, value]) => (value == null ? [] : field));
  return [...amounts, ...fields].join(', ');
}
