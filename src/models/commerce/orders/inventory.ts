/**
 * The stock of products, and the holds by which carts reserve units. Both are in the product's document, so every step below is one
 * guarded update of one document, and `qty + held + sold = stocked` holds at every moment.
 *
 * A cart has at most one hold on a product. Both the hold and the cart's line carry the id of the call that last changed them. If the
 * two ids agree, no call is changing the line. Stock is taken before the cart gets its line and returned after the line is removed, so
 * a hold is never less than its line, and repair only ever returns what no line needs.
 * Source pattern: inventory (commerce, section 3), with the order of the two steps reversed: a cart that is being paid for cannot have a
 * line without stock.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction, isDuplicateKey } from '../../../database/index.js';
import { BusyError, InputError } from '../../../shared/errors.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Act, recordAct } from '../../people/audit.js';
import { type Hold, type Pricing, type ProductDocument, products } from '../catalog/product.js';

/** Units in one line of a cart. */
export const QUANTITY_MAX = 10_000;
/** Units per restock call. */
const RESTOCK_MAX = 1_000_000_000;
/** Carts that may hold a product at the same time, to keep its document small. */
export const HOLDS_MAX = 1000;

/** The stock of a product. `available + inCarts + sold = stocked`. */
export interface Stock {
  readonly sku: string;
  readonly available: number;
  readonly inCarts: number;
  readonly sold: number;
  readonly stocked: number;
}

/** The fields that determine the stock. */
export const STOCK_FIELDS = { qty: 1, sold: 1, stocked: 1 } as const;

/** The units in carts are computed from the other fields, so up to HOLDS_MAX holds need not be read. */
export function stockOf({ _id, qty, sold, stocked }: Pick<ProductDocument, '_id' | 'qty' | 'sold' | 'stocked'>): Stock {
  return { sku: _id, available: qty, inCarts: stocked - qty - sold, sold, stocked };
}

/** @returns null when there is no such product */
async function findStock(db: Db, sku: string): Promise<Stock | null> {
  const product = await products(db).findOne({ _id: sku }, { projection: STOCK_FIELDS });
  return product && stockOf(product);
}

/** @throws InputError */
export function requireQuantity(field: string, quantity: number, max = QUANTITY_MAX): number {
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= max) return quantity;
  throw new InputError(field, `must be a whole number from 1 to ${max}`);
}

const SKU_LENGTH_MAX = 64; // as in the catalog

/** Rejects text that cannot be a SKU, so that a refusal never repeats it. @throws InputError */
export function requireSku(field: string, sku: string): string {
  if (sku.length >= 1 && sku.length <= SKU_LENGTH_MAX) return sku;
  throw new InputError(field, `must have 1 to ${SKU_LENGTH_MAX} characters`);
}

/** Adds units to stock, recorded in the audit trail. A retry of the call adds nothing. @throws InputError @throws BusyError */
export async function restock(
  db: Db,
  act: Act,
  { call, sku, quantity }: { readonly call: string; readonly sku: string; readonly quantity: number },
): Promise<Stock | Refusal<'ProductNotFound', { sku: string }>> {
  requireSku('sku', sku);
  requireQuantity('quantity', quantity, RESTOCK_MAX);
  const bringIn = async (session: ClientSession) => {
    // The product first: concurrent changes of its stock wait for the commit instead of reading an old state.
    const product = await products(db).findOneAndUpdate(
      { _id: sku },
      { $inc: { qty: quantity, stocked: quantity } }, // both fields in one update, so that the sum holds
      { returnDocument: 'after', projection: STOCK_FIELDS, session },
    );
    if (!product) return productNotFound(sku);
    // Guard: only once. The entry has the call's id and is kept at least as long as the key, which `readConfig` ensures.
    await recordAct(db, session, act, { action: 'STOCK_BROUGHT_IN', subject: sku, detail: String(quantity), call });
    return stockOf(product);
  };
  try {
    return (await inTransaction(db, commitConcernOf.MAJORITY, bringIn)).value;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await findStock(db, sku)) ?? productNotFound(sku); // already done
  }
}

/** The current or intended state of a hold. */
export interface HoldState {
  readonly call: string;
  readonly qty: number;
}

/** The product data that a cart copies when it holds a product. */
export interface HeldProduct {
  readonly title: string;
  readonly pricing: Pricing;
}

export type NotHeld =
  | Refusal<'ProductNotFound', { sku: string }>
  | Refusal<'InsufficientStock', { sku: string; available: number }>
  /** The hold differs from the expected one: another call is changing the line. */
  | { readonly conflict: Hold | null };

/**
 * Creates or raises a cart's hold. Idempotent for the same call.
 * @param from the expected hold; null if there should be none
 * @throws BusyError HOLDS_MAX carts hold the product
 */
export async function raiseHold(
  db: Db,
  place: { readonly sku: string; readonly cartId: string },
  from: HoldState | null,
  to: HoldState,
  now: Date,
): Promise<HeldProduct | NotHeld> {
  const { sku, cartId } = place;
  const units = to.qty - (from?.qty ?? 0);
  const options = { projection: { title: 1, pricing: 1 } } as const;
  const taken = from
    ? await products(db).findOneAndUpdate(
        // Guard: enough stock, and the hold matches the cart's line, so no two calls raise it from the same state.
        { _id: sku, qty: { $gte: units }, carted: { $elemMatch: { cart_id: cartId, call: from.call, qty: from.qty } } },
        { $inc: { qty: -units, 'carted.$.qty': units }, $set: { 'carted.$.call': to.call, 'carted.$.timestamp': now } },
        options,
      )
    : await products(db).findOneAndUpdate(
        // Guard: enough stock, the cart has no hold on it yet, and there is room for another hold.
        {
          _id: sku,
          qty: { $gte: units },
          'carted.cart_id': { $ne: cartId },
          [`carted.${HOLDS_MAX - 1}`]: { $exists: false },
        },
        { $inc: { qty: -units }, $push: { carted: { call: to.call, cart_id: cartId, qty: units, timestamp: now } } },
        options,
      );
  return taken ?? (await whyNotHeld(db, place, from, { ...to, units }));
}

async function whyNotHeld(
  db: Db,
  { sku, cartId }: { readonly sku: string; readonly cartId: string },
  from: HoldState | null,
  { call, qty, units }: HoldState & { readonly units: number },
): Promise<HeldProduct | NotHeld> {
  const product = await products(db).findOne(
    { _id: sku },
    { projection: { title: 1, pricing: 1, qty: 1, carted: { $elemMatch: { cart_id: cartId } } } },
  );
  if (!product) return productNotFound(sku);
  const hold = product.carted?.[0] ?? null;
  if (hold?.call === call && hold.qty === qty) return product; // already done by this call
  if (!isHold(hold, from)) return { conflict: hold };
  if (product.qty < units) return insufficientStock(sku, product.qty);
  throw new BusyError(`Too many carts hold or request ${sku}`);
}

const isHold = (hold: Hold | null, state: HoldState | null): boolean =>
  hold === null || state === null ? hold === state : hold.call === state.call && hold.qty === state.qty;

/**
 * Lowers a cart's hold and returns the rest to stock. @param to null to remove the hold
 * @returns false when the hold is not `from`: already done, or another call is changing it
 */
export async function lowerHold(
  db: Db,
  { sku, cartId }: { readonly sku: string; readonly cartId: string },
  from: HoldState,
  to: HoldState | null,
): Promise<boolean> {
  // Guard: the hold is the one that was read, so its units are returned only once.
  const held = { _id: sku, carted: { $elemMatch: { cart_id: cartId, call: from.call, qty: from.qty } } };
  const { matchedCount } = await products(db).updateOne(
    held,
    to
      ? { $inc: { qty: from.qty - to.qty }, $set: { 'carted.$.qty': to.qty, 'carted.$.call': to.call } }
      : { $inc: { qty: from.qty }, $pull: { carted: { cart_id: cartId } } },
  );
  return matchedCount === 1;
}

/**
 * Turns a hold into a sale and returns any excess to stock. Idempotent.
 * @returns false when the cart has no hold on the product: already sold, or the product no longer exists
 */
export async function sellHold(
  db: Db,
  { sku, cartId }: { readonly sku: string; readonly cartId: string },
  quantity: number,
): Promise<boolean> {
  for (;;) {
    const hold = await findHold(db, sku, cartId);
    if (!hold) return false;
    const { matchedCount } = await products(db).updateOne(
      { _id: sku, carted: { $elemMatch: { cart_id: cartId, call: hold.call, qty: hold.qty } } }, // guard: as read; otherwise read again
      { $inc: { sold: quantity, qty: hold.qty - quantity }, $pull: { carted: { cart_id: cartId } } },
    );
    if (matchedCount === 1) return true;
  }
}

export async function findHold(db: Db, sku: string, cartId: string): Promise<Hold | null> {
  const product = await products(db).findOne(
    { _id: sku },
    { projection: { _id: 1, carted: { $elemMatch: { cart_id: cartId } } } },
  );
  return product?.carted?.[0] ?? null;
}

export const productNotFound = (
  sku: string,
  message = `There is no product with the SKU ${sku}`,
): Refusal<'ProductNotFound', { sku: string }> => refuse('ProductNotFound', message, { sku });

const insufficientStock = (sku: string, available: number) =>
  refuse('InsufficientStock', available === 0 ? `${sku} is sold out` : `Only ${available} units of ${sku} are left`, {
    sku,
    available,
  });
