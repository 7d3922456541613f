/** Pacing: how large a share of the decisions a campaign takes part in, so that its budget lasts for its flight. Pure. */
import { MINUTE_MS } from '../../../shared/time.js';
import { type CampaignDocument, minorUnits, THOUSANDTHS } from './campaign.js';

/** A difference to the plan is made up within this time. */
const HORIZON_MS = 10 * MINUTE_MS;
/** A share changes by at most this factor at once, because the traffic of a minute is random. */
const FACTOR_MAX = 2;
/** So that a campaign that was far ahead comes back. */
const SHARE_MIN = 0.001;

type Paced = Pick<CampaignDocument, 'flight' | 'pacing' | 'paid' | 'budget' | 'spent' | 'share' | 'paced'>;

/** What an even pace has spent at a moment, in thousandths. */
export function plannedAt({ flight, paid, budget }: Pick<Paced, 'flight' | 'paid' | 'budget'>, at: number): number {
  const [from, to] = [flight.from.getTime(), flight.to.getTime()];
  const part = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return (paid || budget) * THOUSANDTHS * part;
}

/** The share from now on: what the plan needs within the horizon, compared with what was spent since the last adjustment. */
export function shareFrom(campaign: Paced, now: Date): number {
  if (campaign.pacing === 'ASAP') return 1;
  const { spent, share, paced } = campaign;
  const at = now.getTime();
  const ahead = plannedAt(campaign, at + HORIZON_MS) - spent;
  if (ahead <= 0) return Math.max(SHARE_MIN, share / FACTOR_MAX);
  if (!paced || at <= paced.at.getTime()) return share;
  const rate = (spent - paced.spent) / (at - paced.at.getTime());
  if (rate <= 0) return Math.min(1, share * FACTOR_MAX);
  const factor = ahead / HORIZON_MS / rate;
  return Math.min(1, Math.max(SHARE_MIN, share * Math.min(FACTOR_MAX, Math.max(1 / FACTOR_MAX, factor))));
}

export interface Progress {
  /** Minor units, as are the others. */
  readonly expected: number;
  readonly actual: number;
  readonly share: number;
  readonly forecast: number;
}

export function progressOf(campaign: Paced & Pick<CampaignDocument, 'ended_at' | 'state'>, now: Date): Progress {
  const { flight, spent, share, paid, budget, ended_at: ended } = campaign;
  const at = (ended ?? now).getTime();
  const [from, to] = [flight.from.getTime(), flight.to.getTime()];
  const gone = Math.min(to, Math.max(from, at)) - from;
  const forecast = ended || gone === 0 ? spent : Math.min((paid || budget) * THOUSANDTHS, (spent / gone) * (to - from));
  const expected = campaign.state === 'DRAFT' ? 0 : Math.round(plannedAt(campaign, at) / THOUSANDTHS);
  return { expected, actual: minorUnits(spent), share, forecast: minorUnits(forecast) };
}
