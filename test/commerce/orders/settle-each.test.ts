/** Settling unfinished work one item at a time. */
import { MongoNetworkError } from 'mongodb';
import { expect, it } from 'vitest';
import { settleEach } from '../../../src/models/commerce/orders/settle-each.js';
import { BusyError } from '../../../src/shared/errors.js';

async function* items(): AsyncGenerator<number> {
  yield* [1, 2, 3];
}

/** @param error of the second item @returns what was tried, and the outcome */
async function settle(error: Error): Promise<[number[], unknown]> {
  const tried: number[] = [];
  const outcome = await settleEach('Items', items(), async (item) => {
    tried.push(item);
    if (item === 2) throw error;
  }).catch((thrown: unknown) => thrown);
  return [tried, outcome];
}

it('goes on with the others when one fails, and says so at the end', async () => {
  expect(await settle(new Error('broken'))).toEqual([[1, 2, 3], expect.any(AggregateError)]);
  expect(await settle(new BusyError('busy'))).toEqual([[1, 2, 3], 2]);
});

it('stops when the database cannot be reached, with the reason', async () => {
  const error = new MongoNetworkError('connection closed');
  expect(await settle(error)).toEqual([[1, 2], error]);
});
