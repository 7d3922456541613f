/**
 * Pacing: how large a share of the decisions a campaign takes part in, so that its budget lasts for its flight. Pure.
 *
 * Each minute tells what a share has spent, and so what all decisions would have been worth. Such measurements are random, above all those
 * of campaigns with few impressions: minutes are added up, and older ones count less. What the plan needs, divided by that worth, is the
 * next share. It at most doubles in a minute. Where nothing was spent yet, it begins small, and that of a campaign that pays per impression
 * grows tenfold each minute: a minute without an impression shows that ten times the share brings few. A minute without a click shows
 * nothing of the kind, because of a hundred impressions perhaps one is clicked: a campaign that pays per click doubles its share.
 *
 * Silence teaches nothing about the traffic, so a share may be far too large when visitors come. Therefore each process shows a campaign
 * at most until `perMinuteOf` impressions are to be expected in a minute (`minute-count.ts`). And a campaign that is far behind, for example
 * after a pause, does not make up for it at once.
 */
import { MINUTE_MS } from '../../../shared/time.js';
import { type CampaignDocument, minorUnits, type PriceModel, THOUSANDTHS } from './campaign.js';

/** A difference to the plan is made up within this time, */
const HORIZON_MS = 10 * MINUTE_MS;
/** with at most this multiple of an even pace for what is left. */
const CATCH_UP_MAX = 1.5;
/** A process shows at most what the pace needs in so many minutes in one of them. Visitors come unevenly. */
const BURST_MINUTES = 10;
/** A share rises by at most this factor in a minute. */
const FACTOR_MAX = 2;
/** The same until the first spend, by what is paid for. */
const FACTOR_UNKNOWN: Readonly<Record<PriceModel, number>> = { CPM: 10, CPC: FACTOR_MAX };
/** A minute this long ago counts half. */
const HALF_LIFE_MS = 10 * MINUTE_MS;
/** A campaign that is ahead of its plan goes on with this part of the pace, so that its traffic is still measured. */
const PACE_MIN = 1 / 8;
/** A thousandth of an impression a minute, if a zone decides a million times a minute. */
const SHARE_MIN = 1e-9;
/** Where nothing is known about the traffic. */
const SHARE_FIRST = 0.001;

type Planned = Pick<CampaignDocument, 'flight' | 'started_at' | 'replanned' | 'paid' | 'budget'>;
type Running = Planned & Pick<CampaignDocument, 'price_model' | 'pacing' | 'spent' | 'share' | 'paced'>;
/** What is known about a pace, and what follows. */
export type Pace = Required<Pick<CampaignDocument, 'share' | 'paced'>>;

/** When an even pace begins: a flight may begin before its campaign is started, or have been changed since. */
const beginOf = ({ flight, started_at: started, replanned }: Planned): number =>
  Math.max(flight.from.getTime(), started?.getTime() ?? 0, replanned?.at.getTime() ?? 0);

/** What is spent from that moment to the end of the flight, in thousandths. */
const plannedSpend = ({ paid, budget, replanned }: Planned): number =>
  (paid || budget) * THOUSANDTHS - (replanned?.spent ?? 0);

/** What an even pace has spent at a moment, in thousandths. */
export function plannedAt(campaign: Planned, at: number): number {
  const { flight, replanned } = campaign;
  const [from, to] = [beginOf(campaign), flight.to.getTime()];
  const part = at >= to ? 1 : Math.max(0, (at - from) / (to - from));
  return (replanned?.spent ?? 0) + plannedSpend(campaign) * part;
}

/** In thousandths a minute. */
const plannedPerMinute = (campaign: Planned): number =>
  (plannedSpend(campaign) * MINUTE_MS) / (campaign.flight.to.getTime() - beginOf(campaign));

const asShare = (share: number): number => Math.min(1, Math.max(SHARE_MIN, share));

/** The pace of a campaign whose ads enter the zones. @param worth what all decisions of a minute may cost it, in thousandths. 0: unknown */
export function firstPace(campaign: Running, worth: number, now: Date): Pace {
  const paced = { spent: campaign.spent, at: now, gained: 0, exposed: 0 };
  if (campaign.pacing === 'ASAP') return { share: 1, paced };
  return { share: worth > 0 ? asShare(plannedPerMinute(campaign) / worth) : SHARE_FIRST, paced };
}

/** The pace from now on: what the plan needs within the horizon, compared with what was spent until now. */
export function nextPace(campaign: Running & Pick<Pace, 'paced'>, now: Date): Pace {
  const { price_model: model, share, spent, paced: before } = campaign;
  const at = now.getTime();
  const passed = Math.max(0, at - before.at.getTime());
  const kept = 0.5 ** (passed / HALF_LIFE_MS);
  const gained = (before.gained ?? 0) * kept + spent - before.spent;
  const exposed = (before.exposed ?? 0) * kept + (share * passed) / MINUTE_MS;
  const paced = { spent, at: now, gained, exposed };
  if (campaign.pacing === 'ASAP') return { share: 1, paced };
  if (passed === 0) return { share, paced };
  if (gained === 0) return { share: asShare(share * FACTOR_UNKNOWN[model]), paced };
  return { share: asShare(Math.min(share * FACTOR_MAX, (needed(campaign, at) * exposed) / gained)), paced };
}

/** The impressions of a campaign in a minute of a process at most. @param ecpm of the ad. @returns null: no limit */
export function perMinuteOf(campaign: Running, ecpm: number, now: Date): number | null {
  if (campaign.pacing === 'ASAP') return null;
  return Math.ceil((BURST_MINUTES * neededPerMinute(campaign, now)) / Math.max(1, ecpm)); // eCPM: thousandths for an impression
}

/** What the pace needs from now on, in thousandths a minute. 0: as soon as possible */
export const neededPerMinute = (campaign: Running, now: Date): number =>
  campaign.pacing === 'ASAP' ? 0 : needed(campaign, now.getTime());

/** In thousandths a minute. */
function needed(campaign: Running, at: number): number {
  const { flight, paid, budget, spent } = campaign;
  const to = flight.to.getTime();
  const until = Math.min(at + HORIZON_MS, to);
  const catchingUp = (plannedAt(campaign, until) - spent) / minutesBetween(at, until);
  const evenly = ((paid || budget) * THOUSANDTHS - spent) / minutesBetween(at, to);
  return Math.max(Math.min(catchingUp, evenly * CATCH_UP_MAX), plannedPerMinute(campaign) * PACE_MIN);
}

const minutesBetween = (from: number, to: number): number => Math.max(1, (to - from) / MINUTE_MS);

export interface Progress {
  /** Minor units, as are the others. */
  readonly expected: number;
  readonly actual: number;
  readonly forecast: number;
}

export function progressOf(campaign: Running & Pick<CampaignDocument, 'ended_at' | 'state'>, now: Date): Progress {
  const { flight, spent, paid, budget, ended_at: ended, replanned } = campaign;
  const at = (ended ?? now).getTime();
  const [from, to] = [beginOf(campaign), flight.to.getTime()];
  const gone = Math.min(to, Math.max(from, at)) - from;
  const before = replanned?.spent ?? 0;
  const atThisRate = before + ((spent - before) / gone) * (to - from);
  const forecast = ended || gone === 0 ? spent : Math.min((paid || budget) * THOUSANDTHS, atThisRate);
  const expected = campaign.state === 'DRAFT' ? 0 : Math.round(plannedAt(campaign, at) / THOUSANDTHS);
  return { expected, actual: minorUnits(spent), forecast: minorUnits(forecast) };
}
