/** A live chart as a frontend would keep it, with checks that no event is missing or repeated. */
import type { Answer, Product } from '../../harness/product.js';

export const SITE = 'example.org';

const LIVE_CHART = `subscription ($page: String!, $after: String) {
  hitChartChanged(site: "${SITE}", page: $page, last: "PT1H", after: $after) {
    cursor reset
    ... on HitChartSnapshot { chart { points { at count } } }
    ... on HitChartChange { points { at count } }
  }
}`;

interface Point {
  readonly at: string;
  readonly count: number;
}

interface ChartEvent {
  readonly cursor: string;
  readonly reset: boolean;
  readonly chart?: { readonly points: readonly Point[] };
  readonly points?: readonly Point[];
}

export async function recordHits(product: Product, page: string, count: number): Promise<string> {
  const hits = Array.from({ length: count }, () => ({ site: SITE, page }));
  const { data, errors, extensions } = await product.request<{ recordHits: { recorded: number } }>(
    'mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }',
    { hits },
  );
  if (data?.recordHits.recorded !== count) throw new Error(`Not recorded: ${JSON.stringify(errors)}`);
  return String(extensions?.writtenAt);
}

export class LiveChart {
  readonly page: string;
  cursor: string | null = null;
  snapshots = 0;
  resets = 0;
  #counts = new Map<string, number>();

  constructor(page: string) {
    this.page = page;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Follows on a process until `done` returns true. @throws Error an event was repeated */
  async follow(product: Product, done: (chart: LiveChart) => boolean): Promise<void> {
    const variables = { page: this.page, after: this.cursor };
    for await (const answer of product.subscribe<{ hitChartChanged: ChartEvent }>(LIVE_CHART, variables)) {
      this.#take(requireData(answer).hitChartChanged);
      if (done(this)) return;
    }
    throw new Error('The subscription ended');
  }

  #take({ cursor, reset, chart, points }: ChartEvent): void {
    if (this.cursor && cursor.slice(0, 16) < this.cursor.slice(0, 16)) throw new Error('An event went back in time');
    this.cursor = cursor;
    if (reset) this.resets += 1;
    if (chart) {
      this.snapshots += 1;
      this.#counts = new Map(chart.points.map(({ at, count }) => [at, count]));
      return;
    }
    for (const { at, count } of points ?? []) {
      const known = this.#counts.get(at) ?? 0;
      if (count <= known) throw new Error(`A repeated event: ${at} has ${count} hits, after ${known}`);
      this.#counts.set(at, count);
    }
  }
}

function requireData<Data>({ data, errors }: Answer<Data>): Data {
  if (!data) throw new Error(`The subscription failed: ${JSON.stringify(errors)}`);
  return data;
}
