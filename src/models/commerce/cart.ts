/**
 * Carts. Whoever knows a cart's id may use it; the id is random.
 *
 *   ACTIVE -> PENDING   checkout: its lines no longer change                (checkout.ts)
 *   PENDING -> ACTIVE   the payment was declined
 *   PENDING -> COMPLETE paid; written last, after the order and the sales
 *   ACTIVE -> EXPIRING  nobody changed it for long                          (cart-expiry.ts)
 *   EXPIRING -> EXPIRED its stock has been given back
 *
 * Every transition is an update that names the state it starts from, so of two that compete one happens.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { defineCollection, findNewestFirst } from '../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/connection.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { DAY_MS } from '../../shared/time.js';
import type { Money } from './money.js';

export type CartState = 'ACTIVE' | 'PENDING' | 'COMPLETE' | 'EXPIRING' | 'EXPIRED';

/** A line, with what was copied from the product when it was added: the customer pays the price of that moment. */
export interface CartLine {
  /** The call that last changed it. */
  call: string;
  sku: string;
  qty: number;
  /** Minor units for one. */
  price: number;
  title: string;
}

/** What a cart that is being checked out waits for. */
export interface Checkout {
  /** Names the attempt: the payment's key, and the order's id. */
  call: string;
  /** Who pays. */
  account: string;
  /** Who gets the order: a person's id, or null. */
  owner: string | null;
  at: Date;
}

export interface CartDocument {
  _id: string;
  state: CartState;
  currency: string;
  items: CartLine[];
  /** The latest calls that have changed it: repeated, they do nothing. */
  calls: string[];
  /** The latest calls that were given up, so that they must not change it any more. */
  revoked: string[];
  started_at: Date;
  last_modified: Date;
  /** Of a PENDING or COMPLETE cart. */
  checkout?: Checkout;
  /** Of a cart that raises an order's quantity (`order-raise.ts`): the order. */
  raises?: string;
  /** Of one that has ended: MongoDB removes it then. */
  expires_at?: Date;
}

export const carts = defineCollection<CartDocument>('carts', [
  { key: { state: 1, last_modified: -1, _id: -1 } }, // findCarts, expiry, checkout recovery
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB removes those that have ended
]);

export const LINES_MAX = 100;
/** How many calls a cart remembers. Whoever repeats a call does so within seconds. */
const CALLS_KEPT = 20;
const ENDED_KEPT_MS = 30 * DAY_MS;

export const MAJORITY = { writeConcern: { w: 'majority' } } as const;

/** The end of a list of calls. */
export const rememberedCall = (call: string) => ({ $each: [call], $slice: -CALLS_KEPT });

export const endedCartExpiry = (now: Date): Date => new Date(now.getTime() + ENDED_KEPT_MS);

export type CartNotActive = Refusal<'CartNotActive', { state: CartState }>;
export type CartNotFound = Refusal<'CartNotFound'>;

/** @param given the id, for a cart that must be found again; and the order that it raises. Starting it again changes nothing */
export async function startCart(
  db: Db,
  currency: string,
  now: Date,
  given: { readonly id?: string; readonly raises?: string } = {},
): Promise<CartDocument> {
  const cart: CartDocument = {
    _id: given.id ?? randomUUID(), // random, so that nobody guesses it and inserts spread over an index
    state: 'ACTIVE',
    currency,
    items: [],
    calls: [],
    revoked: [],
    started_at: now,
    last_modified: now,
    ...(given.raises !== undefined && { raises: given.raises }),
  };
  const { _id, ...fields } = cart;
  const options = { upsert: true, returnDocument: 'after', ...MAJORITY } as const;
  return (await carts(db).findOneAndUpdate({ _id }, { $setOnInsert: fields }, options)) ?? cart; // guard: `_id`
}

export function findCart(db: Db, id: string): Promise<CartDocument | null> {
  return carts(db).findOne({ _id: id });
}

const FIRST_MAX = 100;

/** Those in a state, the last changed first. @throws LimitError `first` is over 100 @throws CursorError */
export async function findCarts(
  db: Db,
  state: CartState,
  { first, after }: PageInput,
): Promise<Connection<CartDocument>> {
  requireFirst(first, FIRST_MAX);
  return findNewestFirst<CartDocument>(
    {
      list: `carts/${state}`,
      moment: 'last_modified',
      filter: { state },
      read: (filter, limit) => carts(db).find(filter).sort({ last_modified: -1, _id: -1 }).limit(limit).toArray(),
    },
    { first, after },
  );
}

export function lineOf(cart: CartDocument, sku: string): CartLine | undefined {
  return cart.items.find((line) => line.sku === sku);
}

export function totalOf({ items, currency }: Pick<CartDocument, 'items' | 'currency'>): Money {
  return { amount: items.reduce((sum, { qty, price }) => sum + qty * price, 0), currency };
}

export const cartNotFound = (): CartNotFound => refuse('CartNotFound', 'There is no such cart');

const WHY_NOT: Readonly<Record<CartState, string>> = {
  ACTIVE: 'The cart has changed meanwhile',
  PENDING: 'The cart is being paid for',
  COMPLETE: 'The cart has been paid for',
  EXPIRING: 'The cart has expired',
  EXPIRED: 'The cart has expired',
};

export const cartNotActive = ({ state }: Pick<CartDocument, 'state'>): CartNotActive =>
  refuse('CartNotActive', WHY_NOT[state], { state });
