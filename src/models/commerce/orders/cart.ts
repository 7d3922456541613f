/**
 * Carts. Anyone who knows a cart's id may use it. The id is random.
 *
 *   ACTIVE -> PENDING   checkout: its lines no longer change                (checkout.ts)
 *   PENDING -> ACTIVE   the payment was declined
 *   PENDING -> COMPLETE paid; written last, after the order and the sales
 *   ACTIVE -> EXPIRING  idle for too long                                   (cart-expiry.ts)
 *   EXPIRING -> EXPIRED its stock has been returned
 *   ACTIVE -> EXPIRED   empty and no longer needed                          (order-raise.ts)
 *
 * Every transition is an update whose filter names the initial state, so of two competing transitions only one succeeds.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { defineCollection, defineDocumentFeed, findNewestFirst } from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { DAY_MS } from '../../../shared/time.js';
import type { AuditDocument } from '../../people/audit.js';
import type { Money } from '../money/money.js';
import type { NotHeld } from './inventory.js';

export type CartState = 'ACTIVE' | 'PENDING' | 'COMPLETE' | 'EXPIRING' | 'EXPIRED';

/** States from which a cart can still become an order. */
export const UNDER_WAY: readonly CartState[] = ['ACTIVE', 'PENDING'];

/** A line, with a copy of the product's data when it was added. The customer pays that price. */
export interface CartLine {
  /** The call that last changed it. */
  call: string;
  sku: string;
  qty: number;
  /** Price per unit, in minor units. */
  price: number;
  title: string;
}

/** The checkout of a cart. */
export interface Checkout {
  /** Identifies the attempt: the payment's key and the order's id. */
  call: string;
  /** The paying account. */
  account: string;
  /** The owner of the order: a user's id, or null. */
  owner: string | null;
  /** The user who enters it. Absent in carts from before this was recorded. */
  entered_by?: string;
  /** The audit entry of an administrator's action, until it is done. The amount is added when the cart is paid for. */
  entry?: AuditDocument;
  at: Date;
}

export interface CartDocument {
  _id: string;
  state: CartState;
  currency: string;
  items: CartLine[];
  /** The latest calls that changed the cart. Retries of them do nothing. For this and the next three, see `cart-memory.ts`. */
  calls: string[];
  /** The latest calls with a key that were refused, and their refusals. Retries get the same refusal. */
  refused?: { call: string; refusal: CartRefusal }[];
  /** The latest attempts that were given up and must not change the cart any more. */
  revoked: string[];
  /** How many times calls were forgotten. A change started before that is refused. */
  forgotten?: number;
  started_at: Date;
  last_modified: Date;
  /** When an idle cart started to expire. Absent in carts from before this was recorded. */
  expiring_since?: Date;
  /** Only for a PENDING or COMPLETE cart. */
  checkout?: Checkout;
  /** The order, if the cart raises an order's quantity (`order-raise.ts`). */
  raises?: string;
  /** When MongoDB removes a cart that has ended. */
  expires_at?: Date;
}

export const carts = defineCollection<CartDocument>('carts', [
  { key: { state: 1, last_modified: -1, _id: -1 } }, // findCarts, expiry, checkout recovery
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB removes carts that have ended
  { key: { 'checkout.owner': 1, _id: 1 }, partialFilterExpression: { 'checkout.owner': { $gt: '' } } }, // personal-data.ts, as the next
  { key: { 'checkout.entered_by': 1 }, partialFilterExpression: { 'checkout.entered_by': { $exists: true } } },
]);

/** A cart, followed live: the current state, then the state after every change. */
export const cartFeed = defineDocumentFeed('cart', carts, 'There is no such cart');

export const LINES_MAX = 100;
const ENDED_KEPT_MS = 30 * DAY_MS;

/** When an ended cart is removed: an empty one immediately, any other after ENDED_KEPT_MS. */
export const endedCartExpiry = ({ items }: Pick<CartDocument, 'items'>, now: Date): Date =>
  new Date(now.getTime() + (items.length === 0 ? 0 : ENDED_KEPT_MS));

export type CartNotActive = Refusal<'CartNotActive', { state: InactiveState }>;
export type CartNotFound = Refusal<'CartNotFound'>;
/** Why a line was not changed. */
export type CartRefusal = Exclude<NotHeld, { conflict: unknown }> | CartNotActive | CartNotFound;

/** @param given the id, for a cart that must be found again, and the order that it raises. Idempotent for the same id */
export async function startCart(
  db: Db,
  currency: string,
  now: Date,
  given: { readonly id?: string; readonly raises?: string } = {},
): Promise<CartDocument> {
  const cart: CartDocument = {
    _id: given.id ?? randomUUID(), // random, so that it cannot be guessed and inserts spread over the index
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
  const options = { upsert: true, returnDocument: 'after' } as const;
  return (await carts(db).findOneAndUpdate({ _id }, { $setOnInsert: fields }, options)) ?? cart; // guard: `_id`
}

/**
 * Ends a cart without lines. Calls still working on it are refused.
 * @returns false when it has lines or had already ended
 */
export async function discardCart(db: Db, _id: string, now: Date): Promise<boolean> {
  const { matchedCount } = await carts(db).updateOne(
    { _id, state: 'ACTIVE', 'items.0': { $exists: false } }, // guard: it has nothing to return to stock
    { $set: { state: 'EXPIRED', last_modified: now, expires_at: endedCartExpiry({ items: [] }, now) } },
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

/** Carts in a state, most recently changed first. @throws LimitError `first` exceeds 100 @throws CursorError */
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

/** What an idempotency record stores instead of a cart: a cart of 100 lines takes 40 kB and can be read again. */
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
