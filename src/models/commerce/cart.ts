/**
 * Carts. Whoever knows a cart's id may use it; the id is random.
 *
 *   ACTIVE -> PENDING   checkout: its lines no longer change                (checkout.ts)
 *   PENDING -> ACTIVE   the payment was declined
 *   PENDING -> COMPLETE paid; written last, after the order and the sales
 *   ACTIVE -> EXPIRING  nobody changed it for long                          (cart-expiry.ts)
 *   EXPIRING -> EXPIRED its stock has been given back
 *   ACTIVE -> EXPIRED   empty, and of no use any more            (order-raise.ts)
 *
 * Every transition is an update that names the state it starts from, so of two that compete one happens.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { defineCollection, findNewestFirst } from '../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/connection.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { DAY_MS } from '../../shared/time.js';
import type { AuditDocument } from '../people/audit.js';
import type { NotHeld } from './inventory.js';
import type { Money } from './money.js';

export type CartState = 'ACTIVE' | 'PENDING' | 'COMPLETE' | 'EXPIRING' | 'EXPIRED';

/** From these a cart may still come to an order; from the others, never again. */
export const UNDER_WAY: readonly CartState[] = ['ACTIVE', 'PENDING'];

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
  /** The person who enters it. Absent in carts from before this was kept. */
  entered_by?: string;
  /** Of an administrator's act, until it is done: its entry for the audit trail, which is told the sum when it is paid. */
  entry?: AuditDocument;
  at: Date;
}

export interface CartDocument {
  _id: string;
  state: CartState;
  currency: string;
  items: CartLine[];
  /** The latest calls that have changed it: repeated, they do nothing. This and the next three: `cart-memory.ts`. */
  calls: string[];
  /** The latest calls with a key that were refused, and what they were told: repeated, they are told the same. */
  refused?: { call: string; refusal: CartRefusal }[];
  /** The latest attempts that were given up: they must not change it any more. */
  revoked: string[];
  /** How often calls were forgotten: a change that was begun before that is refused. */
  forgotten?: number;
  started_at: Date;
  last_modified: Date;
  /** Of an EXPIRING cart; those that began before this was noted lack it. */
  expiring_since?: Date;
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
const ENDED_KEPT_MS = 30 * DAY_MS;

export const MAJORITY = { writeConcern: { w: 'majority' } } as const;

/** Of an empty one nobody wants to know later. */
export const endedCartExpiry = ({ items }: Pick<CartDocument, 'items'>, now: Date): Date =>
  new Date(now.getTime() + (items.length === 0 ? 0 : ENDED_KEPT_MS));

export type CartNotActive = Refusal<'CartNotActive', { state: InactiveState }>;
export type CartNotFound = Refusal<'CartNotFound'>;
/** Why a line was not changed. */
export type CartRefusal = Exclude<NotHeld, { conflict: unknown }> | CartNotActive | CartNotFound;

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

/**
 * Ends a cart without lines: whoever still works on it is refused.
 * @returns false when it has lines, or had ended before
 */
export async function discardCart(db: Db, _id: string, now: Date): Promise<boolean> {
  const { matchedCount } = await carts(db).updateOne(
    { _id, state: 'ACTIVE', 'items.0': { $exists: false } }, // guard: it has nothing to give back
    { $set: { state: 'EXPIRED', last_modified: now, expires_at: endedCartExpiry({ items: [] }, now) } },
    MAJORITY,
  );
  return matchedCount === 1;
}

export function findCart(db: Db, id: string): Promise<CartDocument | null> {
  return carts(db).findOne({ _id: id });
}

export async function isCart(db: Db, _id: string): Promise<boolean> {
  return (await carts(db).findOne({ _id }, { projection: { _id: 1 } })) !== null;
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

/** What a key's record keeps of a cart as an answer: a cart of 100 lines has 40 kB, and may be read again. */
export const briefOfCart = ({ _id }: CartDocument): { cart: string } => ({ cart: _id });

export const cartNotFound = (): CartNotFound => refuse('CartNotFound', 'There is no such cart');

type InactiveState = Exclude<CartState, 'ACTIVE'>;

const WHY_NOT: Readonly<Record<InactiveState, string>> = {
  PENDING: 'The cart is being paid for',
  COMPLETE: 'The cart has been paid for',
  EXPIRING: 'The cart has expired',
  EXPIRED: 'The cart has expired',
};

export const cartNotActive = (state: InactiveState): CartNotActive =>
  refuse('CartNotActive', WHY_NOT[state], { state });
