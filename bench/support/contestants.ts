/** The server processes that are compared: the product, our floors, and the peers. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MeasuredSettings } from '../../harness/exceptions.js';
import { type Guarded, spawnGuarded } from '../../harness/process.js';
import { startProduct } from '../../harness/product.js';
import { measuredSettings } from './exceptions.js';

export interface Contestant {
  readonly pid: number;
  readonly port: number;
  /** The payload of `connection_init`, and the header of requests. */
  readonly authorization: string | null;
  stop(): Promise<void>;
}

export interface Place {
  readonly mongodbUri: string;
  readonly database: string;
}

/** The product as people run it, except for the listed exceptions: with authentication, limits, metrics and logging. */
export async function productContestant(
  { mongodbUri, database }: Place,
  nodeOptions: readonly string[] = [],
  more?: MeasuredSettings,
): Promise<Contestant> {
  const environment = { ...measuredSettings, ...more };
  const product = await startProduct({ mongodbUri, database, environment, nodeOptions });
  const authorization = `Bearer ${await product.token()}`;
  return { pid: product.process.pid, port: product.port, authorization, stop: product.stop };
}

/** A program of `bench/floor`. */
export async function floorContestant(
  program: string,
  place: Place,
  more: Readonly<Record<string, string>> = {},
): Promise<Contestant> {
  const file = fileURLToPath(new URL(`../floor/${program}.js`, import.meta.url));
  const { guarded, line } = await startUntil('READY', file, {
    MONGODB_URI: place.mongodbUri,
    MONGODB_DATABASE: place.database,
    ...more,
  });
  return {
    pid: guarded.pid,
    port: Number(line.split(' ')[1]),
    authorization: null,
    stop: () => guarded.end('SIGTERM'),
  };
}

let peerPort = 4200;

/** A server in the peers' folder, which uses its own names for the settings. */
export async function peerContestant(
  folder: string,
  file: string,
  place: Place,
  more: Readonly<Record<string, string>> = {},
): Promise<Contestant> {
  peerPort += 1;
  const settings = { MONGODB_URI: place.mongodbUri, DB: place.database, PORT: String(peerPort), ...more };
  const { guarded } = await startUntil('READY', join(folder, 'node', file), settings);
  return { pid: guarded.pid, port: peerPort, authorization: null, stop: () => guarded.end('SIGTERM') };
}

async function startUntil(
  word: string,
  file: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ guarded: Guarded; line: string }> {
  const guarded = await spawnGuarded(process.execPath, [file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const line = await new Promise<string>((resolve, reject) => {
    guarded.child.stdout?.on('data', (chunk) => {
      text += chunk;
      const found = text.split('\n').find((one) => one.startsWith(word));
      if (found) resolve(found);
    });
    void guarded.ended.then(({ code }) => reject(new Error(`${file} exited with ${code} before it was ready`)));
  });
  return { guarded, line };
}
