/**
 * Follows large charts, and opens sockets that request as many and never read, to measure what that costs. `npm test` uses some
 * dozens of charts, and `npm run bench -- large-charts` a thousand.
 */
import type { Socket } from 'node:net';
import { residentBytes } from './process-usage.js';
import type { Product } from './product.js';
import { type Subscription, subscribe } from './subscriber-socket.js';

export const SITE = 'large.example';
const PAGE = '/busy';
const DAYS = 34;
const MINUTES = DAYS * 1440;
/** Each chart is a little shorter than the previous one, so that all are different. */
const LONGEST_MINUTES = MINUTES - 10;
const CHARTS_PER_SOCKET = 100;
const QUERY = `subscription Live($last: Duration!) { hitChartChanged(site: "${SITE}", page: "${PAGE}", last: $last, unit: MINUTE) {
  cursor ... on HitChartSnapshot { chart { total points { at count } } } ... on HitChartChange { points { at count } }
} }`;

export const chartOf = (number: number): Subscription => ({
  query: QUERY,
  operationName: 'Live',
  variables: { last: `PT${LONGEST_MINUTES - number}M` },
});

/** The same as a query. */
export const queryOf = (number: number): Subscription => ({
  query: `query Chart($range: DateRange!) { hitChart(site: "${SITE}", page: "${PAGE}", range: $range, unit: MINUTE) {
    points { at count }
  } }`,
  operationName: 'Chart',
  variables: {
    range: {
      from: new Date(Date.now() - (LONGEST_MINUTES - number) * 60_000).toISOString(),
      to: new Date().toISOString(),
    },
  },
});

export function residentMb(product: Product): number {
  return residentBytes(product.process.pid) / 1e6;
}

/** A hit in each minute of the range, so that every chart is dense. */
export async function fillPage(product: Product): Promise<void> {
  const now = Date.now();
  for (let part = 0; part < MINUTES; part += 10_000) {
    const length = Math.min(10_000, MINUTES - part);
    const hits = Array.from({ length }, (_, index) => ({
      site: SITE,
      page: PAGE,
      at: new Date(now - (part + index) * 60_000).toISOString(),
    }));
    const query = 'mutation ($hits: [HitInput!]!) { recordHits(hits: $hits) { recorded } }';
    const { errors } = await product.request(query, { hits });
    if (errors) throw new Error(`Not recorded: ${JSON.stringify(errors)}`);
  }
}

export async function hitOnce(product: Product): Promise<void> {
  const { errors } = await product.request(
    `mutation { recordHit(hit: {site: "${SITE}", page: "${PAGE}"}) { recorded } }`,
  );
  if (errors) throw new Error(`Not recorded: ${JSON.stringify(errors)}`);
}

export interface Followers {
  /** Resolves when every chart has arrived this often. */
  received(messages: number): Promise<void>;
  readonly bytes: number;
  end(): void;
}

/** Follows this many charts, and reads them. */
export async function followCharts(product: Product, count: number, from = 0): Promise<Followers> {
  const init = { authorization: `Bearer ${await product.token()}` };
  const sockets: Socket[] = [];
  let messages = 0;
  let bytes = 0;
  let broken: Error | null = null;
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const look of waiting) look();
  };
  for (let first = 0; first < count; first += CHARTS_PER_SOCKET) {
    sockets.push(
      await subscribe({
        port: product.port,
        init,
        subscription: (number) => chartOf(from + first + number),
        operations: Math.min(CHARTS_PER_SOCKET, count - first),
        onNext: (_buffer, start, end) => {
          messages += 1;
          bytes += end - start;
          tell();
        },
        onEnd: (reason) => {
          broken ??= new Error(reason);
          tell();
        },
      }),
    );
  }
  return {
    get bytes() {
      return bytes;
    },
    received: (times) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!broken && messages < times * count) return;
          waiting.delete(look);
          if (broken) reject(broken);
          else resolve();
        };
        waiting.add(look);
        look();
      }),
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Requests this many charts on one socket, and never reads again. */
export async function stallOn(product: Product, count: number, asked = chartOf): Promise<Socket> {
  const init = { authorization: `Bearer ${await product.token()}` };
  const ignore = () => undefined;
  const socket = await subscribe({
    port: product.port,
    init,
    subscription: asked,
    operations: count,
    onNext: ignore,
    onEnd: ignore,
  });
  return socket.pause();
}

/** The metrics of the process by name. */
export async function readMetrics(product: Product): Promise<(name: string) => number> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
