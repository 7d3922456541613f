/** A subscriber of a page's live hit chart, who can wait until the hits recorded so far are in it. */

import type { HitPoint, PageOfSite } from '../../src/models/analytics/hits/hit-chart.js';
import { hitChartFeed } from '../../src/models/analytics/hits/hit-chart-feed.js';
import type { Hub } from '../../src/realtime/hub.js';
import { DAY_MS } from '../../src/shared/time.js';

export class LiveCount {
  readonly #counts = new Map<number, number>();
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  #recorded = 0;
  #seen = 0;

  /** @param page without hits */
  static async follow(hub: Hub, page: PageOfSite): Promise<LiveCount> {
    const live = new LiveCount();
    const events = await hub.follow(hitChartFeed, { ...page, lastMs: DAY_MS, unit: 'HOUR' });
    void (async () => {
      for await (const event of events) live.#add(event.kind === 'snapshot' ? event.view.points : event.change);
    })();
    return live;
  }

  #add(points: readonly HitPoint[]): void {
    for (const { at, count } of points) this.#counts.set(at.getTime(), count);
    this.#seen = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    for (const { count, resolve } of this.#waiting) if (count <= this.#seen) resolve();
    this.#waiting = this.#waiting.filter(({ count }) => count > this.#seen);
  }

  /** Call it when a hit is recorded. Resolves when as many hits as were recorded until now are in the chart. */
  recorded(): Promise<void> {
    this.#recorded += 1;
    const count = this.#recorded;
    if (this.#seen >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }
}
