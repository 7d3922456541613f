/**
 * What this process has shown of campaigns in the current minute, as the price of the impressions to expect of it. A share is adjusted to
 * the traffic after a minute; when many visitors come after silence, this keeps a campaign with an even pace from showing in one minute what
 * is meant for hours. An impression at a bid counts as its price: it spends as much as many without one.
 *
 * The budget is spent by impressions, and many decisions become none: the ad stays below the fold, or nobody looks at the page. A decision
 * counts as the part of an impression that those of the last minutes became. So decisions that nobody sees neither slow a campaign down nor
 * use up its minute. If suddenly all are seen, their impressions count as such as soon as they are recorded.
 */
import { MINUTE_MS } from '../../../shared/time.js';

/** Campaigns; more are not counted until others are forgotten. */
const COUNTED_MAX = 10_000;
/** A decision counts as at least one impression of so many. */
const DECISIONS_PER_IMPRESSION_MAX = 20;

interface Counts {
  decisions: number;
  impressions: number;
}

interface Counted {
  current: Counts;
  /** The prices of those in `current`. */
  prices: Counts;
  /** Of the minutes before: each counts half as much as the next one. */
  before: Counts;
}

const nothing = (): Counts => ({ decisions: 0, impressions: 0 });

export class MinuteCount {
  #minute = 0;
  readonly #counted = new Map<string, Counted>();

  /** Also for impressions that another process has decided, and the other way round. */
  add(campaign: string, what: keyof Counts, price: number, now: Date): void {
    this.#begin(now);
    let counted = this.#counted.get(campaign);
    if (!counted) {
      if (this.#counted.size >= COUNTED_MAX) return;
      counted = { current: nothing(), prices: nothing(), before: nothing() };
      this.#counted.set(campaign, counted);
    }
    counted.current[what] += 1;
    counted.prices[what] += price;
  }

  /** @returns the price of the impressions to expect of what was shown in this minute */
  of(campaign: string, now: Date): number {
    this.#begin(now);
    const counted = this.#counted.get(campaign);
    if (!counted) return 0;
    const { prices, before } = counted;
    return Math.max(prices.impressions, prices.decisions / decisionsPerImpression(before));
  }

  #begin(now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute === this.#minute) return;
    const kept = 0.5 ** (Math.abs(minute - this.#minute) - 1); // a clock may be set back
    this.#minute = minute;
    for (const [campaign, { current, before }] of this.#counted) {
      const decisions = (before.decisions / 2 + current.decisions) * kept;
      const impressions = (before.impressions / 2 + current.impressions) * kept;
      if (decisions < 1) this.#counted.delete(campaign);
      else this.#counted.set(campaign, { current: nothing(), prices: nothing(), before: { decisions, impressions } });
    }
  }
}

/** Where little is known, a few decisions without an impression show little. */
const decisionsPerImpression = ({ decisions, impressions }: Counts): number =>
  Math.min(DECISIONS_PER_IMPRESSION_MAX, Math.max(1, (decisions + 1) / (impressions + 1)));
