/**
 * A thousand concurrent requests to an otherwise idle server: right after its start, and nine more times. Also a
 * stopped process.
 */

import type { BurstAnswer, BurstOptions } from '../load/burst.js';
import { runProgram } from '../load/program.js';
import { head } from '../load/request-text.js';
import { type Contestant, type Place, productContestant } from '../support/contestants.js';
import type { Rounds } from '../support/measure.js';

const SITE = 'site-1.example';
const ORIGIN = `https://${SITE}`;
const COUNT = 1000;
const TIMES = 10;
const STOPPED = 200;
const STOP_MS = 2000;
const SOON_MS = 30;

const HIT = `mutation Hit { recordHit(hit: { site: "${SITE}", page: "page-1" }) { recorded } }`;
const QUERY = '{ sites { host } }';

export const bursts = {
  hits: 'hits by mutation',
  queries: 'small queries',
  beacon: 'hits by `POST /hit`',
  sockets: 'hits on ten sockets',
} as const;
export type BurstName = keyof typeof bursts;

const wholeRequest = (authorization: string | null, query: string): string => {
  const body = JSON.stringify({ query });
  return `${head(authorization, body.length)}${body}`;
};

function beaconRequest(): string {
  const body = JSON.stringify({ site: SITE, page: 'page-1' });
  const lines = ['POST /hit HTTP/1.1', 'host: x', `origin: ${ORIGIN}`, 'content-type: text/plain'];
  return [...lines, `content-length: ${body.length}`, '', body].join('\r\n');
}

const whatOf = (name: BurstName, { authorization }: Contestant): BurstOptions['what'] => {
  if (name === 'sockets') return { query: HIT, init: { authorization } };
  if (name === 'beacon') return { requests: [beaconRequest()] };
  return { requests: [wholeRequest(authorization, name === 'hits' ? HIT : QUERY)] };
};

/**
 * Each burst has its own server process. Milliseconds until the last response: `NameCold`, `NameWarm` (the slowest of
 * nine); and `NameRefused`.
 */
export async function measureBursts(place: Place, nodeOptions: readonly string[], figures: Rounds): Promise<void> {
  for (const name of Object.keys(bursts) as BurstName[]) {
    const product = await productContestant(place, nodeOptions);
    try {
      await registerSite(product);
      const options = { port: product.port, count: COUNT, times: TIMES, what: whatOf(name, product) };
      const { lastMs, refused } = await runProgram<BurstOptions, BurstAnswer>('burst', options);
      const [cold = Number.NaN, ...warm] = lastMs;
      figures.add(`${name}Cold`, cold);
      figures.add(`${name}Warm`, Math.max(...warm));
      figures.add(`${name}Refused`, sum(refused));
    } finally {
      await product.stop();
    }
  }
}

/** How many of 200 waiting requests are refused by a process that was stopped for two seconds. */
export async function measureStop(product: Contestant, bodies: readonly string[]): Promise<number> {
  const requests = bodies.map((body) => `${head(product.authorization, Buffer.byteLength(body))}${body}`);
  const options = { port: product.port, count: STOPPED, times: 1, what: { requests } };
  const burst = runProgram<BurstOptions, BurstAnswer>('burst', options);
  await pause(SOON_MS + STOP_MS / 10); // the program has started, and some requests are answered
  process.kill(product.pid, 'SIGSTOP');
  await pause(STOP_MS);
  process.kill(product.pid, 'SIGCONT');
  return sum((await burst).refused);
}

/** How many of 50 concurrent requests are refused. */
export async function measureFifty(product: Contestant, bodies: readonly string[]): Promise<number> {
  const requests = bodies.map((body) => `${head(product.authorization, Buffer.byteLength(body))}${body}`);
  const options = { port: product.port, count: 50, times: 5, what: { requests } };
  return sum((await runProgram<BurstOptions, BurstAnswer>('burst', options)).refused);
}

async function registerSite({ port, authorization }: Contestant): Promise<void> {
  const query = `mutation { registerSite(input: { host: "${SITE}", allowedOrigins: ["${ORIGIN}"] }) { __typename } }`;
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: String(authorization) },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  if (text.includes('"errors"')) throw new Error(text);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
