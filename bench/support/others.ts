/**
 * Latency of other requests while a server is busy: the same query at a fixed rate, whether or not responses arrive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '../../harness/product.js';
import { percentile } from './measure.js';

/** The interval between these requests. */
export const EVERY_MS = 20;

/** @throws Error the response has errors */
export async function ask(product: Product, query: string): Promise<Record<string, unknown>> {
  const { data, errors } = await product.request(query);
  if (!data || errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** The p99 latency of other requests during the work, in milliseconds. */
export async function waitsOfOthers(product: Product, query: string, work: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  const asked: Promise<unknown>[] = [];
  let ends = false;
  const done = work().finally(() => {
    ends = true;
  });
  do {
    const begun = performance.now();
    asked.push(ask(product, query).then(() => took.push(performance.now() - begun)));
    await sleep(EVERY_MS);
  } while (!ends);
  await Promise.all([done, ...asked]);
  return percentile(took, 0.99);
}
