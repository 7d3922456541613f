/** Campaigns. */
import type {
  CampaignResolvers,
  ChangeCampaignResultResolvers,
  CreateCampaignResultResolvers,
  EndCampaignResultResolvers,
  FrequencyCapResolvers,
  MutationResolvers,
  PauseCampaignResultResolvers,
  QueryResolvers,
  StartCampaignResultResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { type AdvertiserDocument, findAdvertiser } from '../../models/ads/advertisers/advertiser.js';
import {
  type CampaignDocument,
  campaignNotFound,
  findCampaigns,
  minorUnits,
} from '../../models/ads/campaigns/campaign.js';
import {
  changeCampaign,
  createCampaign,
  pauseCampaign,
  toCampaign,
} from '../../models/ads/campaigns/campaign-change.js';
import { endCampaign } from '../../models/ads/campaigns/campaign-end.js';
import { campaignFeed } from '../../models/ads/campaigns/campaign-feed.js';
import type { CampaignChanges, CampaignInput } from '../../models/ads/campaigns/campaign-input.js';
import { notesOf } from '../../models/ads/campaigns/campaign-notes.js';
import { startCampaign } from '../../models/ads/campaigns/campaign-payment.js';
import { planCampaign } from '../../models/ads/campaigns/campaign-plan.js';
import { progressOf } from '../../models/ads/campaigns/pacing.js';
import { refreshZonesOrLater } from '../../models/ads/campaigns/placement.js';
import { ecpmOfCampaign } from '../../models/ads/campaigns/pricing.js';
import { zoneNameOf } from '../../models/ads/zones/zone.js';
import { type Act, intendAct } from '../../models/people/audit.js';
import type { Context } from '../../server/context/context.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { actOnAccount } from '../commerce/behalf.js';
import { findUsableAccount } from '../commerce/ownership.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { runOnce } from '../support/once.js';
import { resultType } from '../support/result-type.js';
import { detailOf, entryOfChange } from './behalf.js';
import { adOwnerFilter, findOwnCampaign, requireOwnCampaign } from './ownership.js';

type Resolved =
  | 'id'
  | 'advertiser'
  | 'endedBy'
  | 'priceModel'
  | 'price'
  | 'ecpm'
  | 'budget'
  | 'spent'
  | 'paid'
  | 'refunded'
  | 'progress'
  | 'accountId'
  | 'placements'
  | 'adUnits'
  | 'notes';

export const Campaign: Pick<CampaignResolvers, Resolved> = {
  id: ({ _id }) => toGlobalId('Campaign', _id),
  advertiser: async ({ advertiser_id }, _args, { loaders }) => {
    const advertiser = await loaders().advertiser.load(advertiser_id);
    if (!advertiser) throw new Error(`The advertiser ${advertiser_id} does not exist`); // they are never deleted
    return advertiser;
  },
  endedBy: ({ ended_by }) => ended_by ?? null,
  priceModel: ({ price_model }) => price_model,
  price: ({ price, currency }) => ({ amount: price, currency }),
  ecpm: async (campaign, _args, { loaders }) => ecpmOfCampaign(campaign, await loaders().adUnits.load(campaign._id)),
  budget: ({ budget, currency }) => ({ amount: budget, currency }),
  spent: ({ spent, currency }) => ({ amount: minorUnits(spent), currency }),
  paid: ({ paid, currency }) => ({ amount: paid, currency }),
  refunded: ({ refunded, currency }) => ({ amount: refunded, currency }),
  progress: async (campaign, _args, { now, loaders }) => {
    const { _id, currency, state } = campaign;
    const { expected, actual, forecast } = progressOf(campaign, now());
    // The ads of a campaign that ends leave the zones a moment later.
    const isShown = state === 'RUNNING' && (await loaders().isInZone.load(_id));
    const share = isShown ? campaign.share : 0;
    const money = (amount: number) => ({ amount, currency });
    return { expected: money(expected), actual: money(actual), share, forecast: money(forecast) };
  },
  accountId: ({ account_id }) => toGlobalId('Account', account_id),
  placements: ({ placements }) => placements.map(zoneNameOf),
  adUnits: async ({ _id }, _args, { loaders }) => loaders().adUnits.load(_id),
  notes: async (campaign, _args, { loaders }) => {
    const { adUnits, zone } = loaders();
    const [units, zones] = await Promise.all([
      adUnits.load(campaign._id),
      Promise.all(campaign.placements.map((id) => zone.load(id))),
    ]);
    return notesOf(
      campaign,
      units,
      zones.filter((found) => found !== null),
    );
  },
};

export const FrequencyCap: Pick<FrequencyCapResolvers, 'period'> = { period: ({ period_ms }) => ({ ms: period_ms }) };

export const CreateCampaignResult: CreateCampaignResultResolvers = { __resolveType: resultType('Campaign') };
export const ChangeCampaignResult: ChangeCampaignResultResolvers = { __resolveType: resultType('Campaign') };
export const StartCampaignResult: StartCampaignResultResolvers = { __resolveType: resultType('Campaign') };
export const PauseCampaignResult: PauseCampaignResultResolvers = { __resolveType: resultType('Campaign') };
export const EndCampaignResult: EndCampaignResultResolvers = { __resolveType: resultType('Campaign') };

export const Query: Pick<QueryResolvers, 'campaign' | 'campaigns' | 'campaignPlan'> = {
  campaign: (_root, { id }, context) => findOwnCampaign(context, id),
  campaigns: (_root, { state, first, after }, { db, viewer }) =>
    findCampaigns(db, { owner: adOwnerFilter(viewer), state }, { first, after }),
  campaignPlan: async (_root, { input }, context) => {
    const { db, now, store } = context;
    const parties = await findParties(context, input);
    if ('__typename' in parties)
      throw new InputError(
        parties.__typename === 'AccountNotFound' ? 'input.accountId' : 'input.advertiserId',
        'must be one that the viewer may use',
      );
    const { expectedSpend, ...plan } = await planCampaign(
      db,
      toCampaign('plan', { ...parties, currency: store.currency, fields: input as CampaignInput }, now()),
      now(),
    );
    return { ...plan, expectedSpend: { amount: expectedSpend, currency: store.currency } };
  },
};

interface Parties {
  readonly advertiser: AdvertiserDocument;
  readonly account: string;
}

/** The advertiser and the account of a new campaign, if the viewer may use both. */
async function findParties(
  context: Context,
  { advertiserId, accountId }: { readonly advertiserId: string; readonly accountId: string },
): Promise<Parties | Refusal<'AdvertiserNotFound'> | Refusal<'AccountNotFound'>> {
  const owner = adOwnerFilter(context.viewer);
  const advertiser = await findAdvertiser(context.db, idOfType('Advertiser', advertiserId) ?? '');
  if (!advertiser || (owner !== null && advertiser.owner !== owner))
    return refuse('AdvertiserNotFound', 'There is no such advertiser');
  const account = await findUsableAccount(context, idOfType('Account', accountId));
  return account ? { advertiser, account: account._id } : refuse('AccountNotFound', 'There is no such account');
}

/** For the audit trail, if the money is another user's. @throws SextantError FORBIDDEN the viewer may not take money from the account */
async function findPayer(context: Context, { account_id }: CampaignDocument): Promise<Act | null> {
  const account = await findUsableAccount(context, account_id);
  if (!account)
    throw new SextantError('FORBIDDEN', 'Only those who may use the account of the campaign may pay from it');
  return actOnAccount(context, account);
}

const entryOf = (act: Act | null, { _id, currency }: CampaignDocument, amount: number, call: string) =>
  act ? intendAct(act, { action: 'CAMPAIGN_PAID', subject: _id, detail: `${amount} ${currency}`, call }) : undefined;

/** The answer of a retry may have been stored by a process that died before the zones showed the campaign as it is. */
async function shown<Outcome extends CampaignDocument | Refusal<string>>(
  { db, now }: Context,
  outcome: Outcome,
): Promise<Outcome> {
  if ('_id' in outcome && outcome.is_stale) await refreshZonesOrLater(db, outcome._id, now());
  return outcome;
}

export const Mutation: Pick<
  MutationResolvers,
  'createCampaign' | 'changeCampaign' | 'startCampaign' | 'pauseCampaign' | 'endCampaign'
> = {
  createCampaign: async (_root, { input, idempotencyKey: key }, context) => {
    const parties = await findParties(context, input);
    if ('__typename' in parties) return parties;
    const { db, store } = context;
    const campaign = { ...parties, currency: store.currency, fields: input as CampaignInput };
    return runOnce(context, { operation: 'createCampaign', key, input }, (_call, at, _begunAt, attempt) =>
      createCampaign(db, attempt, campaign, at),
    );
  },
  changeCampaign: async (_root, { id: globalId, changes, idempotencyKey: key }, context) => {
    const campaign = await findOwnCampaign(context, globalId);
    if (!campaign) return campaignNotFound();
    const { ads, db, store } = context;
    const act = changes.budget ? await findPayer(context, campaign) : null;
    const entry = await entryOfChange(context, campaign, detailOf(changes as CampaignChanges));
    const { _id: id } = campaign;
    const changed = await runOnce(
      context,
      { operation: 'changeCampaign', key, input: { id, changes } },
      (call, at, begunAt, attempt) => {
        const change = { attempt, begunAt, id, changes: changes as CampaignChanges, currency: store.currency };
        return changeCampaign(
          db,
          ads.payment,
          { ...change, entryOf: (amount) => entryOf(act, campaign, amount, call), entry },
          at,
        );
      },
    );
    return shown(context, changed);
  },
  startCampaign: async (_root, { id: globalId, idempotencyKey: key }, context) => {
    const campaign = await findOwnCampaign(context, globalId);
    if (!campaign) return campaignNotFound();
    const { ads, db } = context;
    const act = campaign.state === 'DRAFT' ? await findPayer(context, campaign) : null;
    const entry = await entryOfChange(context, campaign, 'resumed');
    const { _id: id } = campaign;
    const started = await runOnce(
      context,
      { operation: 'startCampaign', key, input: id },
      (call, at, _begunAt, attempt) =>
        startCampaign(
          db,
          ads.payment,
          { attempt, id, entryOf: (amount) => entryOf(act, campaign, amount, call), entry },
          at,
        ),
    );
    return shown(context, started);
  },
  pauseCampaign: async (_root, { id }, context) => {
    const campaign = await findOwnCampaign(context, id);
    if (!campaign) return campaignNotFound();
    const entry = await entryOfChange(context, campaign, 'paused');
    return pauseCampaign(context.db, campaign._id, context.now(), entry);
  },
  endCampaign: async (_root, { id }, context) => {
    const campaign = await findOwnCampaign(context, id);
    if (!campaign) return campaignNotFound();
    const { ads, db, now } = context;
    const entry = await entryOfChange(context, campaign, 'ended');
    return endCampaign(db, ads.payment, { id: campaign._id, by: 'HAND', entry }, now());
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'campaignChanged'> = {
  campaignChanged: {
    subscribe: async (_root, { id, after }, context) => {
      const campaign = await requireOwnCampaign(context, id);
      return context.hub.follow(campaignFeed, { id: campaign._id }, { after });
    },
    resolve: (event: FollowedEvent<CampaignDocument>) => followedAs('campaign', event),
  },
};
