/** What to expect of a campaign, from what its zones have shown. Stores nothing. */
import type { Db } from 'mongodb';
import { DAY_MS } from '../../../shared/time.js';
import { writeAmount } from '../../commerce/money/money.js';
import { findZoneStats } from '../stats/ad-stats.js';
import { findZone, zoneNameOf } from '../zones/zone.js';
import { type CampaignDocument, THOUSANDTHS } from './campaign.js';
import { lowestBudgetOf } from './campaign-input.js';
import { zoneNoteOf } from './campaign-notes.js';
import { ecpmOfCampaign } from './pricing.js';

export interface CampaignPlan {
  readonly notes: readonly string[];
  readonly zones: number;
  readonly expectedImpressions: number;
  /** Minor units. */
  readonly expectedSpend: number;
  readonly rank: number | null;
}

const LOOK_BACK_MS = 7 * DAY_MS;

/** @param campaign a draft that is not stored */
export async function planCampaign(db: Db, campaign: CampaignDocument, now: Date): Promise<CampaignPlan> {
  const { placements, flight, budget, currency } = campaign;
  const ecpm = ecpmOfCampaign(campaign, []);
  const notes: string[] = [];
  let [found, perDay] = [0, 0];
  let rank: number | null = null;
  for (const id of placements) {
    const zone = await findZone(db, id);
    const note = zoneNoteOf(id, zone, campaign, ecpm);
    if (note !== null) notes.push(note);
    if (!zone) continue;
    found += 1;
    const place = 1 + new Set(zone.ads.filter((ad) => ad.ecpm > ecpm).map((ad) => ad.campaign_id)).size;
    rank = rank === null ? place : Math.min(rank, place);
    if (note !== null) continue;
    if (zone.design === 'BASIC' && place > 1) notes.push(`${id} shows only the best eCPM, which others have`);
    else {
      const week = { from: new Date(now.getTime() - LOOK_BACK_MS), to: now };
      const { decisions } = await findZoneStats(db, id, week);
      if (decisions === 0) notes.push(`${zoneNameOf(id).zone} had no visitors in the last seven days`);
      perDay += decisions / (LOOK_BACK_MS / DAY_MS) / place;
    }
  }
  const lowest = lowestBudgetOf(campaign);
  if (budget < lowest)
    notes.push(`The budget pays for nothing at this price: it must be at least ${writeAmount(lowest, currency)}`);
  if (placements.length === 0) notes.push('The campaign has no zone');
  const days = (flight.to.getTime() - Math.max(now.getTime(), flight.from.getTime())) / DAY_MS;
  const affordable = budget < lowest ? 0 : Math.floor((budget * THOUSANDTHS) / ecpm);
  const expectedImpressions = Math.min(affordable, Math.floor(perDay * Math.max(0, days)));
  const expectedSpend = Math.min(budget, Math.ceil((expectedImpressions * ecpm) / THOUSANDTHS));
  return { notes, zones: found, expectedImpressions, expectedSpend, rank };
}
