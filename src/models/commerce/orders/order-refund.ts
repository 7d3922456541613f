/**
 * Refunds of one raise or of everything that is left of an order, in steps that may each be repeated:
 *
 *   1 intend    the order notes what will be refunded; one refund of an order at a time
 *   2 pay       the provider pays the money back once, under the refund's key
 *   3 conclude  one transaction: lines and total decrease, the units return to stock, and the audit entry is written
 *
 * Declined: the note is removed, and nothing has changed. A process that dies leaves the note. The provider's record then decides
 * whether step 3 follows or the note is removed (`recoverRefunds`).
 * Invariants: the refund equals the decrease of the order's total; total = sum of the lines, at every moment; a raise is refunded once.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Act, intendAct, recordEntry } from '../../people/audit.js';
import { products } from '../catalog/product.js';
import type { Charge, PaymentOutcome, PaymentProvider } from '../money/payment.js';
import { carts } from './cart.js';
import type { PaymentDeclined } from './checkout.js';
import { findOrder, type OrderDocument, type OrderLine, type OrderReturn, orders } from './order.js';
import { settleEach } from './settle-each.js';

export interface OrderRefund {
  /** Identifies the call: a retry with the same id continues it. */
  readonly call: string;
  readonly orderId: string;
  /** The raise to refund, or null for everything that is left of the order. */
  readonly raise: string | null;
  /** For the audit trail: paid by the store on behalf of the recipient. */
  readonly act: Act;
}

export type RefundRefusal = Refusal<'OrderNotFound'> | Refusal<'NothingToRefund'> | PaymentDeclined;

/** An order with a refund in progress. */
type Returning = OrderDocument & { readonly returning: OrderReturn };

/** @throws BusyError a checkout or another refund of the order is in progress, or it is not known yet whether the money was paid back */
export async function refundOrder(
  db: Db,
  provider: PaymentProvider,
  refund: OrderRefund,
  now: Date,
): Promise<OrderDocument | RefundRefusal> {
  const begun = await intend(db, refund, now);
  if ('__typename' in begun) return begun;
  if (!isReturning(begun)) return begun; // already done by this call
  failpoint('order.refund.intended');
  return conclude(db, begun, await provider.refund(chargeOf(begun), now), now);
}

const isReturning = (order: OrderDocument): order is Returning => order.returning !== undefined;

const chargeOf = ({ returning: { call, amount }, account, currency }: Returning): Charge => ({
  key: call,
  account,
  amount: { amount, currency },
});

async function intend(
  db: Db,
  { call, orderId, raise, act }: OrderRefund,
  now: Date,
): Promise<OrderDocument | RefundRefusal> {
  for (;;) {
    const order = await findOrder(db, orderId);
    if (!order) return refuse('OrderNotFound', 'There is no such order');
    if (order.returning?.call === call || order.refunds?.some((done) => done.call === call)) return order;
    if (order.returning) throw new BusyError('Another refund of this order is in progress');
    const lines = linesToReturn(order, raise);
    if (typeof lines === 'string') return refuse('NothingToRefund', lines);
    await requirePaid(db, order);
    const amount = sumOf(lines);
    const detail = `${amount} ${order.currency}`;
    const entry = intendAct(act, { action: 'ORDER_REFUNDED', subject: orderId, detail, call });
    const raises = raise === null ? (order.raised ?? []).map(({ cart }) => cart) : [raise];
    const returning: OrderReturn = { call, lines, amount, ...(raise !== null && { raise }), raises, entry, at: now };
    const begun = await orders(db).findOneAndUpdate(
      // Guard: no other refund, and the order is as it was read, since each raise and each refund leaves a mark.
      {
        _id: orderId,
        returning: { $exists: false },
        raises: { $size: order.raises.length },
        refunds: order.refunds ? { $size: order.refunds.length } : { $exists: false },
      },
      { $set: { returning } },
      { returnDocument: 'after' },
    );
    if (begun) return begun;
  }
}

/** @returns the lines to refund, or the reason why there are none */
function linesToReturn(order: OrderDocument, raise: string | null): OrderLine[] | string {
  if (raise === null) return order.lines.length > 0 ? order.lines : 'The order has already been refunded completely';
  const raised = order.raised?.find(({ cart }) => cart === raise);
  if (!raised) return 'The order has no raise with this id';
  if (raised.taken_back_at) return 'These units have already been refunded';
  const { sku, title, qty, price } = raised;
  return [{ sku, title, qty, price }];
}

/** A refund must wait until the units count as sold. @throws BusyError */
async function requirePaid(db: Db, { cart, raises }: OrderDocument): Promise<void> {
  const pending = { _id: { $in: [cart, ...raises] }, state: 'PENDING' as const };
  if (await carts(db).findOne(pending, { projection: { _id: 1 } }))
    throw new BusyError('A checkout of the order is still in progress');
}

const sumOf = (lines: readonly OrderLine[]): number => lines.reduce((sum, { qty, price }) => sum + qty * price, 0);

/** Runs after the provider has answered. */
async function conclude(
  db: Db,
  { _id, returning: { call } }: Returning,
  outcome: PaymentOutcome,
  now: Date,
): Promise<OrderDocument | RefundRefusal> {
  if (outcome.state === 'DECLINED') {
    failpoint('order.refund.declined');
    await orders(db).updateOne({ _id, 'returning.call': call }, { $unset: { returning: '' } }); // guard: this refund's note
    return refuse('PaymentDeclined', outcome.message, { reason: outcome.reason });
  }
  failpoint('order.refund.paid');
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, (session) =>
    giveBack(db, session, _id, call, now),
  );
  failpoint('order.refund.concluded');
  return value ?? refuse('OrderNotFound', 'There is no such order');
}

/** Guard: everything is read and written in the transaction, and only once, because the note is removed with it. */
async function giveBack(db: Db, session: ClientSession, _id: string, call: string, now: Date) {
  const order = await orders(db).findOne({ _id }, { session });
  if (!order || order.returning?.call !== call) return order; // already done
  const { lines, amount, raise, raises, entry } = order.returning;
  const left = order.lines
    .map((line) => ({ ...line, qty: line.qty - unitsOf(lines, line) }))
    .filter(({ qty }) => qty > 0);
  const raised = order.raised?.map((one) => (raises.includes(one.cart) ? { taken_back_at: now, ...one } : one));
  const after = await orders(db).findOneAndUpdate(
    { _id },
    {
      $set: { lines: left, total: sumOf(left), ...(raised && { raised }) },
      $push: { refunds: { call, amount, at: now, ...(raise !== undefined && { raise }) } },
      $unset: { returning: '' },
    },
    { returnDocument: 'after', session },
  );
  // Guard: the product has sold these units. A product that was deleted or recreated since gets nothing back.
  for (const { sku, qty } of lines)
    await products(db).updateOne({ _id: sku, sold: { $gte: qty } }, { $inc: { sold: -qty, qty } }, { session });
  await recordEntry(db, session, entry);
  return after;
}

const unitsOf = (lines: readonly OrderLine[], { sku, price }: OrderLine): number =>
  lines.find((line) => line.sku === sku && line.price === price)?.qty ?? 0;

/**
 * @param since refunds without progress since this time
 * @returns the number of refunds settled
 * @throws AggregateError some failed, other than because the provider does not know the outcome yet
 */
export function recoverRefunds(db: Db, provider: PaymentProvider, since: Date, now: Date): Promise<number> {
  const left = orders(db).find({ 'returning.at': { $lt: since } });
  return settleEach('Refunds', left, async (order) => {
    if (isReturning(order)) await conclude(db, order, await provider.settleRefund(chargeOf(order), now), now);
    failpoint('order.refund.recovered');
  });
}
