/** Requests that are recorded one call at a time: those of an unacknowledged call may be sent again. */
import { expect } from 'vitest';
import type { ProductClient } from '../../../harness/product.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';

const RECORD = 'mutation ($events: [LogEventInput!]!) { recordEvents(events: $events) { inserted } }';

function record(product: ProductClient) {
  const event = { site: 'events.example', time: '2026-01-05T00:00:00Z', host: '192.0.2.1', path: '/', status: 200 };
  return product.request(RECORD, { events: [event, event, event] });
}

export const events: Scenario<null> = {
  failpoints: { 'log.events.site-noted': 1 },
  async act(product) {
    expect(await answerOrNull(record(product))).toBeNull();
    return null;
  },
  async judge(product, db) {
    expect(await db.collection('log.events').countDocuments()).toBe(0);
    expect(await record(product)).toMatchObject({ data: { recordEvents: { inserted: 3 } } });
    expect(await db.collection('log.events').countDocuments()).toBe(3);
  },
};
