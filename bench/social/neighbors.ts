/** What others do while posts are delivered: they post to one follower, their visits are counted, and they add to carts. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db, MongoClient } from 'mongodb';
import { createHitRecorder, type HitRecorder } from '../../src/models/analytics/hits/hit-recorder.js';
import { products } from '../../src/models/commerce/catalog/product.js';
import { startCart } from '../../src/models/commerce/orders/cart.js';
import { addToCart } from '../../src/models/commerce/orders/cart-line.js';
import { CourierLoop } from '../../src/models/social/news/courier-loop.js';
import { Hub } from '../../src/realtime/hub.js';
import { thing } from '../commerce/thing.js';
import { LiveCount } from './live-count.js';
import { post } from './posting.js';

export const acts = [
  'a post to one follower',
  'a hit, until it is in a subscriber’s chart',
  'adding to a cart',
] as const;
export type Act = (typeof acts)[number];
type Times = Readonly<Record<Act, number[]>>;

const SKU = 'thing';
const STOCK = 1_000_000_000;
const CARTS = 100;
const PAGE = { site: 'bench.example', page: '/' };
const RING = { events: 2000, bytes: 10_000_000 };
/** Of each act, evenly spaced: what waits for its turn does not keep the next one from coming. */
const PER_SECOND = 20;

export const newTimes = (): Times => ({ [acts[0]]: [], [acts[1]]: [], [acts[2]]: [] });

export class Neighbors {
  readonly #db: Db;
  readonly #recorder: HitRecorder;
  readonly #author: string;
  /** Delivers what is posted, as in each process of the product. */
  readonly #courier: CourierLoop;
  /** In turn: nobody adds to one cart twenty times a second. */
  #cartIds: string[] = [];
  #hub: Hub | null = null;
  #chart: LiveCount | null = null;
  #added = 0;

  constructor(client: MongoClient, db: Db, author: string) {
    this.#db = db;
    this.#recorder = createHitRecorder({ client, db, waitingMax: 1000 });
    this.#author = author;
    this.#courier = new CourierLoop(db, (error) => {
      throw error;
    });
  }

  async begin(): Promise<void> {
    await products(this.#db).insertOne(thing(SKU, STOCK));
    for (let made = 0; made < CARTS; made += 1) this.#cartIds.push((await startCart(this.#db, 'EUR', new Date()))._id);
    this.#hub = await Hub.create({ db: this.#db, ring: RING, catchUpsMax: 4 });
    this.#chart = await LiveCount.follow(this.#hub, PAGE);
  }

  /** Posts, and wakes the courier. @returns the id of the post */
  async post(author: string): Promise<string> {
    const id = await post(this.#db, author);
    this.#courier.wake();
    return id;
  }

  /** Acts at a steady rate for a while. Adds the milliseconds that each act took. */
  async act(ms: number, times: Times): Promise<void> {
    const begun = performance.now();
    const calls: Promise<void>[] = [];
    for (let sent = 0; performance.now() < begun + ms; sent += 1) {
      for (const act of acts) calls.push(this.#timed(act, times));
      await delay(Math.max(0, begun + ((sent + 1) * 1000) / PER_SECOND - performance.now()));
    }
    await Promise.all(calls);
    await this.#courier.run();
  }

  async #timed(act: Act, times: Times): Promise<void> {
    const begin = performance.now();
    await this.#act(act);
    times[act].push(performance.now() - begin);
  }

  async #act(act: Act): Promise<void> {
    if (act === acts[0]) {
      await this.post(this.#author);
      return;
    }
    if (act === acts[1]) {
      await this.#recorder.record([{ ...PAGE, at: new Date() }], 'MAJORITY');
      return this.#chart?.recorded();
    }
    this.#added += 1;
    const cartId = this.#cartIds[this.#added % CARTS] ?? '';
    const line = { call: randomUUID(), cartId, sku: SKU, quantity: 1 };
    const cart = await addToCart(this.#db, line, new Date());
    if (!('items' in cart)) throw new Error(cart.message);
  }

  async close(): Promise<void> {
    await this.#courier.close();
    await this.#recorder.close();
    await this.#hub?.close();
  }
}
