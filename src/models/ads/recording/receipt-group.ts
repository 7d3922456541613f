/**
 * Counts a group of receipts, in the transaction of the caller: the receipts, the statistics, the ad units, the spending of the campaigns
 * and the profiles of the visitors, all or none.
 *
 * Everything is decided from what the transaction reads. MongoDB aborts it if another one has written one of these documents meanwhile:
 * each unit, campaign and profile that decides is also written. So no receipt counts twice, no budget is overspent and no cap is exceeded,
 * however many processes record.
 */
import type { ClientSession, Db } from 'mongodb';
import { insertInTransaction, type UpdateStatement, updateInTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import { adUnits } from '../campaigns/ad-unit.js';
import { type CampaignDocument, campaigns, leftOf } from '../campaigns/campaign.js';
import { endedFields } from '../campaigns/campaign-end.js';
import { eventPriceOf } from '../campaigns/pricing.js';
import type { EventKind, Receipt } from '../decisions/receipt.js';
import { type ContactKind, profiles, VisitorContacts } from '../profiles/ad-profile.js';
import { AdTally, adStats, subjectOf } from '../stats/ad-stats.js';
import { expiryOf, type RecordedReceipt, recordedIdOf, recordedReceipts } from './recorded-receipt.js';

/** A receipt that was opened. */
export interface ReceiptEvent {
  readonly kind: EventKind;
  /** Without the visitor if it is private. */
  readonly receipt: Receipt;
  /** The visitor wants to stay unknown: no profile is read or written, so that no cap can be kept. */
  readonly isPrivate?: boolean;
  /** The value of a conversion, in minor units. */
  readonly value?: number;
}

export interface EventOutcome {
  /**
   * CAPPED: the visitor has seen the ad as often as its caps allow, or wants to stay unknown, and it has caps. UNSEEN: nothing led to the
   * conversion. UNKNOWN: there is no such campaign.
   */
  readonly state: 'RECORDED' | 'REPEATED' | 'CAPPED' | 'UNSEEN' | 'UNKNOWN';
  /** An impression was counted: this one, or that of a click. */
  readonly isSeenNow: boolean;
  /** The group has used up the budget of the campaign, which has ended and must be closed. */
  readonly isBudgetUsedUp: boolean;
  /** The group has left too little for a bid of the campaign, which the zones still show: its ads must be placed without it. */
  readonly isBidUsedUp: boolean;
}

type Spender = Pick<
  CampaignDocument,
  '_id' | 'state' | 'price_model' | 'price' | 'paid' | 'spent' | 'caps' | 'payment' | 'placed_from'
>;

/** What a campaign spends in a group. */
interface Spending {
  readonly campaign: Spender;
  /** Thousandths. */
  left: number;
  charged: number;
  isUsedUp: boolean;
  isBidUsedUp: boolean;
}

/** May be called again with another session if the transaction is aborted. @returns the outcome of each event */
export async function countReceipts(
  db: Db,
  session: ClientSession,
  events: readonly ReceiptEvent[],
  now: Date,
): Promise<readonly EventOutcome[]> {
  const group = await readGroup(db, session, events, now);
  const counted = events.map((event) => group.count(event));
  await writeGroup(db, session, group, now);
  return events.map(({ receipt }, index) => ({
    ...(counted[index] ?? uncounted('UNKNOWN')),
    isBudgetUsedUp: group.spendings.get(receipt.campaign)?.isUsedUp ?? false,
    isBidUsedUp: group.spendings.get(receipt.campaign)?.isBidUsedUp ?? false,
  }));
}

type Counted = Pick<EventOutcome, 'state' | 'isSeenNow'>;

const uncounted = (state: EventOutcome['state']): Counted => ({ state, isSeenNow: false });

/** What a receipt must have been counted as, so that it counts as this as well. */
const provedBy: Readonly<Record<EventKind, readonly EventKind[]>> = {
  IMPRESSION: [],
  CLICK: ['IMPRESSION'],
  CONVERSION: ['IMPRESSION', 'CLICK'],
};

/** The ids of the receipts that decide about an event. */
const idsOf = ({ kind, receipt }: ReceiptEvent): string[] =>
  [kind, ...provedBy[kind]].map((each) => recordedIdOf(each, receipt));

async function readGroup(db: Db, session: ClientSession, events: readonly ReceiptEvent[], now: Date): Promise<Group> {
  const distinct = (all: readonly string[]) => ({ _id: { $in: [...new Set(all)] } });
  // One after the other: commands of a transaction must not overlap.
  const known = await recordedReceipts(db)
    .find(distinct(events.flatMap(idsOf)), { session, projection: { _id: 1 } })
    .toArray();
  const spenders = await campaigns(db)
    .find(distinct(events.map(({ receipt }) => receipt.campaign)), {
      session,
      projection: { state: 1, price_model: 1, price: 1, paid: 1, spent: 1, caps: 1, payment: 1, placed_from: 1 },
    })
    .toArray();
  const visitors = events.flatMap(({ receipt }) => receipt.visitor || []);
  const found = visitors.length === 0 ? [] : await profiles(db).find(distinct(visitors), { session }).toArray();
  const profileOf = new Map(found.map((profile) => [profile._id, profile]));
  return new Group(
    new Set(known.map(({ _id }) => _id)),
    new Map(spenders.map((campaign) => [campaign._id, spendingOf(campaign)])),
    new Map(visitors.map((id) => [id, new VisitorContacts(profileOf.get(id) ?? null, now)])),
    now,
  );
}

const spendingOf = (campaign: Spender): Spending => ({
  campaign,
  left: campaign.state === 'ENDED' ? 0 : leftOf(campaign),
  charged: 0,
  isUsedUp: false,
  isBidUsedUp: false,
});

const contactOf: Readonly<Record<EventKind, ContactKind>> = {
  IMPRESSION: 'impressions',
  CLICK: 'clicks',
  CONVERSION: 'conversions',
};

/** What a group of receipts changes. */
class Group {
  readonly receipts: RecordedReceipt[] = [];
  readonly tally = new AdTally();
  readonly units = new Map<string, { impressions: number; clicks: number }>();

  constructor(
    private readonly known: Set<string>,
    readonly spendings: ReadonlyMap<string, Spending>,
    readonly visitors: ReadonlyMap<string, VisitorContacts>,
    private readonly now: Date,
  ) {}

  count(event: ReceiptEvent): Counted {
    const { kind, receipt, value } = event;
    if (this.known.has(recordedIdOf(kind, receipt))) return uncounted('REPEATED');
    const spending = this.spendings.get(receipt.campaign);
    if (!spending) return uncounted('UNKNOWN');
    const isProved = provedBy[kind].some((each) => this.known.has(recordedIdOf(each, receipt)));
    if (kind === 'CONVERSION' && !isProved) return uncounted('UNSEEN');
    // A click proves that the ad was seen: its impression counts with it, or neither does.
    const isSeenNow = kind === 'IMPRESSION' || (kind === 'CLICK' && !isProved);
    if (isSeenNow && !this.allows(event, spending)) return uncounted('CAPPED');
    if (isSeenNow) this.add('IMPRESSION', receipt, spending);
    if (kind !== 'IMPRESSION') this.add(kind, receipt, spending, value);
    return { state: 'RECORDED', isSeenNow };
  }

  private allows({ receipt: { visitor, unit, campaign }, isPrivate }: ReceiptEvent, spending: Spending): boolean {
    if (isPrivate) return spending.campaign.caps.length === 0; // as in a decision
    return this.visitors.get(visitor)?.allows(unit, campaign, spending.campaign.caps) ?? true;
  }

  private add(kind: EventKind, receipt: Receipt, spending: Spending, value?: number): void {
    const { unit, campaign: campaign_id, advertiser: advertiser_id, zone, at } = receipt;
    const _id = recordedIdOf(kind, receipt);
    this.known.add(_id);
    const spent = charge(spending, kind, receipt);
    const worth = value !== undefined && { value };
    this.receipts.push({ _id, campaign_id, zone_id: zone, spent, ...worth, expires_at: expiryOf(kind, receipt) });
    const counts = { [contactOf[kind]]: 1, spent, ...worth };
    this.tally.add(subjectOf('campaign', campaign_id), at, counts);
    this.tally.add(subjectOf('unit', unit), at, counts, campaign_id);
    this.tally.add(subjectOf('zone', zone), at, counts);
    const totals = this.units.get(unit) ?? { impressions: 0, clicks: 0 };
    if (kind === 'IMPRESSION') totals.impressions += 1;
    if (kind === 'CLICK') totals.clicks += 1;
    this.units.set(unit, totals);
    // Caps count when it was seen, which may be long after it was decided.
    this.visitors
      .get(receipt.visitor)
      ?.add({ kind: contactOf[kind], ad_unit_id: unit, campaign_id, advertiser_id, at: this.now });
  }
}

/**
 * @returns what it costs, in thousandths: nothing if too little is left for it, as for a bid or a price of before. The campaign ends as
 *   soon as what is left does not pay for another one at its own price, unless a higher budget is being paid
 */
function charge(spending: Spending, kind: EventKind, { prices }: Receipt): number {
  const { campaign } = spending;
  const price = { IMPRESSION: prices.impression, CLICK: prices.click, CONVERSION: 0 }[kind];
  if (price === 0 || campaign.state === 'ENDED' || spending.isUsedUp) return 0;
  const cost = price <= spending.left ? price : 0;
  spending.left -= cost;
  spending.charged += cost;
  spending.isBidUsedUp ||= isShownInVain(spending, price);
  spending.isUsedUp = !campaign.payment && spending.left < eventPriceOf(campaign.price_model, campaign.price);
  return cost;
}

/** Whether the zones show a price for which too little is left, as they do until the campaign is placed again. */
const isShownInVain = ({ campaign: { state, paid, placed_from: from }, left }: Spending, price: number): boolean =>
  state === 'RUNNING' && price > left && from !== undefined && price <= leftOf({ paid, spent: from.spent });

async function writeGroup(db: Db, session: ClientSession, group: Group, now: Date): Promise<void> {
  const { receipts, tally, units, spendings, visitors } = group;
  if (receipts.length === 0) return;
  await insertInTransaction(db, recordedReceipts.collectionName, receipts, session); // guard: `_id`, so each counts once
  failpoint('ads.group.receipts-written');
  await updateInTransaction(db, adStats.collectionName, tally.statements(), session);
  failpoint('ads.group.counted');
  const totals = [...units].map(([_id, $inc]) => ({ q: { _id }, u: { $inc }, upsert: false }));
  await updateInTransaction(db, adUnits.collectionName, totals, session);
  failpoint('ads.group.units-counted');
  await updateInTransaction(
    db,
    campaigns.collectionName,
    [...spendings.values()].flatMap((each) => spendStatement(each, now)),
    session,
  );
  failpoint('ads.group.spent');
  const contacts = [...visitors].flatMap(([_id, visitor]): UpdateStatement[] => {
    const u = visitor.update();
    return u ? [{ q: { _id }, u, upsert: true }] : []; // guard: two new profiles of a visitor conflict on `_id`
  });
  await updateInTransaction(db, profiles.collectionName, contacts, session);
  failpoint('ads.group.profiles-written');
}

/** Guard: it has not ended, and the budget pays for it. The transaction has read the same, so the filter always matches. */
function spendStatement({ campaign, charged, isUsedUp }: Spending, now: Date): UpdateStatement[] {
  if (charged === 0 && !isUsedUp) return [];
  const { _id, paid } = campaign;
  return [
    {
      q: {
        _id,
        state: { $ne: 'ENDED' },
        paid,
        spent: { $lte: leftOf({ paid, spent: charged }) },
        ...(isUsedUp && { payment: { $exists: false } }),
      },
      u: { $inc: { spent: charged }, ...(isUsedUp && { $set: endedFields('BUDGET', now) }) },
      upsert: false,
    },
  ];
}
