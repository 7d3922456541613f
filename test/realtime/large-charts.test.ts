/** Forty charts of 49,000 points with a heap of 150 MB, and three sockets that read nothing. */
import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe, expect, inject, it } from 'vitest';
import {
  fillPage,
  followCharts,
  hitOnce,
  queryOf,
  readMetrics,
  residentMb,
  stallOn,
} from '../../harness/large-charts.js';
import { startProduct } from '../../harness/product.js';

const CHARTS = 40; // half a gigabyte of points and texts, if they were cached
const STALLED_CHARTS = 25; // 55 MB requested on each socket; together with the others as much as one user may request per minute
const HEAP_MB = 150;
const GROWN_MB_MAX = 250;

describe('large charts', () => {
  it('take little memory, even if nobody reads them, and keep sending changes', {
    timeout: 240_000,
  }, async () => {
    const mongodbUri = inject('mongodbUri');
    const database = `sextant_test_${randomBytes(6).toString('hex')}`;
    const product = await startProduct({ mongodbUri, database, nodeOptions: [`--max-old-space-size=${HEAP_MB}`] });
    try {
      await fillPage(product);
      const idle = residentMb(product);
      const charts = await followCharts(product, CHARTS);
      await charts.received(1);
      expect(charts.bytes).toBeGreaterThan(CHARTS * 2_000_000);
      const stalled = await Promise.all([
        stallOn(product, STALLED_CHARTS),
        stallOn(product, STALLED_CHARTS),
        stallOn(product, STALLED_CHARTS, queryOf),
      ]);
      await expect
        .poll(async () => (await readMetrics(product))('sextant_unsent_connections'), { timeout: 60_000 })
        .toBe(3);
      await hitOnce(product);
      await charts.received(2);
      expect(residentMb(product) - idle).toBeLessThan(GROWN_MB_MAX);
      const metric = await readMetrics(product);
      expect(metric('sextant_state_bytes')).toBeGreaterThan(CHARTS * 49_000);
      expect(metric('sextant_state_bytes')).toBeLessThan(CHARTS * 500_000);
      expect(metric('sextant_unsent_bytes')).toBeLessThan(3 * 7_000_000);
      charts.end();
      for (const socket of stalled) socket.destroy();
    } finally {
      await product.stop();
      const client = await MongoClient.connect(mongodbUri);
      await client.db(database).dropDatabase();
      await client.close();
    }
  });
});
