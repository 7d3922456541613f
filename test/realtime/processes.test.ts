import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Product, startProduct } from '../../harness/product.js';
import { LiveChart, recordHits } from './live-chart.js';

const mongodbUri = inject('mongodbUri');
const database = `sextant_test_${randomBytes(6).toString('hex')}`;
let products: readonly [Product, Product];

beforeAll(async () => {
  const first = await startProduct({ mongodbUri, database }); // creates the administrator
  products = [first, await startProduct({ mongodbUri, database })];
});

afterAll(async () => {
  await Promise.all(products.map((product) => product.stop()));
  const client = await MongoClient.connect(mongodbUri);
  await client.db(database).dropDatabase();
  await client.close();
});

describe('two processes on one database', () => {
  it('hand a client over mid-stream, without gaps or duplicates', async () => {
    const rounds = 40;
    const hitsEach = 5;
    const chart = new LiveChart('/moving');
    const writing = (async () => {
      for (let round = 0; round < rounds; round += 1) {
        await recordHits(products[round % 2 === 0 ? 0 : 1], chart.page, hitsEach);
      }
    })();
    // Every few hits the client moves to the other process with its cursor; the writers do not wait for it.
    for (let turn = 0; chart.total < rounds * hitsEach; turn += 1) {
      const until = Math.min(chart.total + 12, rounds * hitsEach);
      await chart.follow(products[turn % 2 === 0 ? 0 : 1], ({ total }) => total >= until);
    }
    await writing;
    expect(chart).toMatchObject({ total: rounds * hitsEach, snapshots: 1, resets: 0 });
  });

  it('let a client see by its cursor when it has passed its own write', async () => {
    const chart = new LiveChart('/own-write');
    const writtenAt = await recordHits(products[1], chart.page, 1);
    await chart.follow(products[0], ({ cursor }) => cursor !== null && cursor >= writtenAt);
    expect(chart.total).toBe(1);
  });

  it('resume a client whose process was killed', async () => {
    const chart = new LiveChart('/killed');
    await chart.follow(products[1], ({ snapshots }) => snapshots === 1);
    await recordHits(products[0], chart.page, 3);
    await products[1].kill();
    products = [products[0], await startProduct({ mongodbUri, database })];
    await chart.follow(products[1], ({ total }) => total === 3);
    expect(chart).toMatchObject({ snapshots: 1, resets: 0 });
  });
});
