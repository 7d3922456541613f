/** Readers of lists and posts beside long work: what they send, and how long they wait. */
import { makeRandom } from '../../harness/random.js';
import type { ArrivalsAnswer, ArrivalsOptions } from '../load/arrivals.js';
import { runProgram } from '../load/program.js';
import type { Contestant } from '../support/contestants.js';
import type { Rounds } from '../support/measure.js';
import { blogOf, postPath } from './many-nodes.js';

export const READS_PER_SECOND = 50;
/** A later answer counts as lost. */
export const USEFUL_MS = 1000;
const CONNECTIONS = 32;
const BODIES = 500;

export interface ReadTimes {
  readonly p50: Rounds;
  readonly p99: Rounds;
  /** Requests that were refused or late. */
  lost: number;
}

/** @param size of the nodes that `fillNodes` has stored */
export function readNodes(
  { port, authorization }: Contestant,
  { size, seconds, round }: { readonly size: number; readonly seconds: number; readonly round: number },
): Promise<ArrivalsAnswer> {
  const random = makeRandom(round);
  const bodies = Array.from({ length: BODIES }, (_, number) => {
    const path = number % 2 === 0 ? `/${blogOf(random)}` : postPath(random, size);
    const query =
      number % 2 === 0
        ? 'query ($path: String!) { nodeByPath(path: $path) { ... on Blog { title posts(first: 20) { edges { node { title path summary } } } } } }'
        : 'query ($path: String!) { nodeByPath(path: $path) { title ... on BlogPost { html } } }';
    return JSON.stringify({ query, variables: { path } });
  });
  return runProgram<ArrivalsOptions, ArrivalsAnswer>('arrivals', {
    port,
    authorization,
    perSecond: READS_PER_SECOND,
    seconds,
    usefulMs: USEFUL_MS,
    bodies,
    connections: CONNECTIONS,
  });
}

export function noteReads(times: ReadTimes, name: string, { accepted, sent, useful }: ArrivalsAnswer): void {
  times.p50.add(name, accepted.p50);
  times.p99.add(name, accepted.p99);
  times.lost += sent - useful;
}
