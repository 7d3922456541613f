/**
 * How often this process has shown campaigns in the current minute. A share is adjusted to the traffic after a minute; when many visitors
 * come after silence, this keeps a campaign with an even pace from showing in one minute what is meant for hours.
 */
import { MINUTE_MS } from '../../../shared/time.js';

/** Campaigns; more are not counted until the next minute. */
const COUNTED_MAX = 10_000;

export class MinuteCount {
  #minute = 0;
  readonly #shown = new Map<string, number>();

  add(campaign: string, now: Date): void {
    this.#begin(now);
    const before = this.#shown.get(campaign);
    if (before === undefined && this.#shown.size >= COUNTED_MAX) return;
    this.#shown.set(campaign, (before ?? 0) + 1);
  }

  of(campaign: string, now: Date): number {
    this.#begin(now);
    return this.#shown.get(campaign) ?? 0;
  }

  #begin(now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#shown.clear();
  }
}
