/** What others wait for while a server is busy with something: they ask for one thing, evenly, whether or not answers come. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '../test/support/product.js';
import { percentile } from './measure.js';

/** Others ask so often. */
export const EVERY_MS = 20;

/** @throws Error the answer has errors */
export async function ask(product: Product, query: string): Promise<Record<string, unknown>> {
  const { data, errors } = await product.request(query);
  if (!data || errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** How long others wait while some work is done, the 99th percentile in milliseconds. */
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
