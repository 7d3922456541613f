/**
 * What was recorded of the sample ads: a day for each step, before the moment when they were added. It is counted as everything is, from
 * receipts, in the transaction that records the step: so a day counts once, and what was spent is in the statistics.
 */
import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import { updateInTransaction } from '../../../database/index.js';
import { DAY_MS } from '../../../shared/time.js';
import type { HeldWork } from '../../work.js';
import { pricesOf } from '../campaigns/pricing.js';
import { countReceipts, type ReceiptEvent } from '../recording/receipt-group.js';
import { AdTally, adStats, subjectOf } from '../stats/ad-stats.js';
import { zoneIdOf } from '../zones/zone.js';
import { type SampleCampaign, type SampleUnit, sampleCampaigns, sampleZones } from './sample-ads.js';

/** Whole days, the last one until the moment when the ads were added. */
export const SAMPLE_DAYS = 7;

/** One of so many leads to a click. */
const IMPRESSIONS_PER_CLICK = 25;
const CLICKS_PER_CONVERSION = 4;
/** Minor units. */
const CONVERSION_VALUE = 2_400;
const DECISIONS_PER_IMPRESSION = 1.25;
const FILLED_PER_IMPRESSION = 1.1;

/** Another one for each work, and the same whenever a step is repeated. */
export const sampleId = ({ work }: Pick<HeldWork, 'work'>, key: string): string =>
  createHash('sha256').update(`${work._id} ${key}`).digest('hex').slice(0, 32);

export const unitKey = ({ key }: SampleCampaign, index: number): string => `${key} unit ${index}`;

/** The events of a day, in order of time. @param day from 0 */
export function eventsOf(held: Pick<HeldWork, 'work'>, day: number): ReceiptEvent[] {
  const from = held.work.created_at.getTime() - (SAMPLE_DAYS - day) * DAY_MS;
  const events = sampleCampaigns.flatMap((campaign) =>
    campaign.units.flatMap((unit, index) => eventsOfUnit(held, campaign, unit, index, { day, from })),
  );
  return events.sort((one, other) => one.receipt.at.getTime() - other.receipt.at.getTime());
}

function eventsOfUnit(
  held: Pick<HeldWork, 'work'>,
  campaign: SampleCampaign,
  unit: SampleUnit,
  index: number,
  { day, from }: { readonly day: number; readonly from: number },
): ReceiptEvent[] {
  const count = Math.round(unit.impressions * (1 + 0.25 * Math.sin(day * 1.9 + index)));
  const key = unitKey(campaign, index);
  return Array.from({ length: count }, (_, n): ReceiptEvent[] => {
    const receipt = {
      id: `${day}-${n}`,
      unit: sampleId(held, key),
      campaign: sampleId(held, campaign.key),
      advertiser: sampleId(held, campaign.advertiser),
      zone: placeOf(unit.zone),
      visitor: '',
      prices: pricesOf(campaign.priceModel, campaign.price),
      at: new Date(Math.floor(from + momentOf((n + 0.5) / count) * DAY_MS)),
    };
    const clicks = Math.floor(n / IMPRESSIONS_PER_CLICK);
    const isClicked = n % IMPRESSIONS_PER_CLICK === (day * 7 + index) % IMPRESSIONS_PER_CLICK;
    const isConverted = isClicked && (clicks + day) % CLICKS_PER_CONVERSION === 0;
    return [
      { kind: 'IMPRESSION', receipt },
      ...(isClicked ? [{ kind: 'CLICK', receipt } as const] : []),
      ...(isConverted ? [{ kind: 'CONVERSION', receipt, value: CONVERSION_VALUE } as const] : []),
    ];
  }).flat();
}

const placeOf = (zone: string): string => zoneIdOf({ site: sampleZones[0]?.site ?? '', zone });

/** More in some hours than in others, and none at the same moment. From 0 to 1. */
const momentOf = (share: number): number => share + 0.12 * Math.sin(2 * Math.PI * share) ** 2 * (1 - share);

/** Guard: the transaction that records the step. */
export async function addDay(held: HeldWork, session: ClientSession, day: number): Promise<void> {
  const events = eventsOf(held, day);
  await countReceipts(held.db, session, events, held.now());
  const decisions = new AdTally();
  const seen = new Map<string, { impressions: number; at: Date }>();
  for (const { kind, receipt } of events) {
    if (kind !== 'IMPRESSION') continue;
    const hour = `${receipt.zone} ${receipt.at.toISOString().slice(0, 13)}`;
    const of = seen.get(hour) ?? { impressions: 0, at: receipt.at };
    seen.set(hour, { ...of, impressions: of.impressions + 1 });
  }
  for (const [hour, { impressions, at }] of seen)
    decisions.add(subjectOf('zone', hour.split(' ')[0] ?? ''), at, {
      decisions: Math.ceil(impressions * DECISIONS_PER_IMPRESSION),
      filled: Math.ceil(impressions * FILLED_PER_IMPRESSION),
    });
  await updateInTransaction(held.db, adStats.collectionName, decisions.statements(), session);
}
