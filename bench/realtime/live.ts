/** The contestants of the live benchmarks, and how to subscribe to each. */
import { randomBytes } from 'node:crypto';
import { type SubscriberProcess, startSubscribers } from '../load/subscriber-process.js';
import type { Surroundings } from '../support/benchmark.js';
import {
  type Contestant,
  floorContestant,
  type Place,
  peerContestant,
  productContestant,
} from '../support/contestants.js';

export type LiveName = 'product' | 'floor' | 'apollo' | 'mercurius';

/** A real client's operation: the dashboard's chart. */
const CHART = `subscription LiveHitChart($site: String!, $page: String!, $last: Duration!, $unit: TimeUnit) {
  hitChartChanged(site: $site, page: $page, last: $last, unit: $unit) {
    __typename
    cursor
    ... on HitChartSnapshot { reset chart { unit total points { at count } } }
    ... on HitChartChange { points { at count } }
  }
}`;
const PEER = 'subscription LiveHitChart($site: String!, $page: String!) { hit(site: $site, page: $page) { t count } }';

/**
 * The length of the product's cursor; the floor's messages contain text of the same length. Set from the product's
 * first message.
 */
let cursorLength = 200;

export function liveNames({ peers, only }: Surroundings): LiveName[] {
  const all: LiveName[] = peers ? ['product', 'floor', 'apollo', 'mercurius'] : ['product', 'floor'];
  return all.filter((name) => only === null || only.includes(name));
}

export interface Live {
  readonly contestant: Contestant;
  connect(subscribers: number, topics: number): Promise<SubscriberProcess>;
  stop(): Promise<void>;
}

export async function startLive(name: LiveName, surroundings: Surroundings): Promise<Live> {
  const { mongodbUri } = surroundings;
  const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
  const contestant = await start(name, place, surroundings);
  const slot = Date.now() - 60_000; // the previous minute: every contestant and every case writes to one minute only
  let site = 0;
  return {
    contestant,
    stop: contestant.stop,
    async connect(subscribers, topics) {
      site += 1;
      return startSubscribers({
        ...place,
        port: contestant.port,
        init: contestant.authorization ? { authorization: contestant.authorization } : {},
        query: name === 'product' ? CHART : PEER,
        operationName: 'LiveHitChart',
        variables: name === 'product' ? { last: 'PT1H', unit: 'MINUTE' } : {},
        snapshot: name === 'product',
        subscribers,
        topics,
        site: `bench-${site}.example`,
        slot,
      });
    },
  };
}

function start(name: LiveName, place: Place, { peers, nodeOptions }: Surroundings): Promise<Contestant> {
  if (name === 'product') return productContestant(place, nodeOptions);
  if (name === 'floor') return floorContestant('broadcast', place, { CURSOR_LENGTH: String(cursorLength) });
  if (!peers) throw new Error('The peers are not available');
  return peerContestant(peers, `${name}.mjs`, place, { SUBSCRIPTIONS: '1' });
}

/** Stores the length of the cursor in a message of the product. */
export function learnCursor(sample: string): void {
  const [, cursor] = /"cursor":"([^"]*)"/.exec(sample) ?? [];
  if (cursor) cursorLength = cursor.length;
}
