/**
 * Refunds: what was bought is given back, of one raise or of all that is left of an order, in steps that each may be repeated:
 *
 *   1 intend    the order notes what goes back; one refund of an order at a time
 *   2 pay       the provider pays it back once, under the refund's key
 *   3 conclude  one transaction: lines and total fall, the units are on the shelf again, the audit trail tells it
 *
 * Declined: the note goes, and nothing has changed. A process that dies leaves the note; the provider's record then tells whether step 3
 * follows or the note goes (`recoverRefunds`).
 * Invariant: what is paid back is what the order falls by; total = sum of the lines, at every instant, and a raise goes back once.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../database/index.js';
import { BusyError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import { type Act, intendAct, recordEntry } from '../people/audit.js';
import { carts } from './cart.js';
import type { PaymentDeclined } from './checkout.js';
import { findOrder, type OrderDocument, type OrderLine, type OrderReturn, orders } from './order.js';
import type { Charge, PaymentOutcome, PaymentProvider } from './payment.js';
import { products } from './product.js';
import { settleEach } from './settle-each.js';

export interface OrderRefund {
  /** Names the call: repeated with the same name, it is carried on. */
  readonly call: string;
  readonly orderId: string;
  /** Names the raise that is taken back; null for all that is left of the order. */
  readonly raise: string | null;
  /** Paid by the store, on behalf of whoever gets it. */
  readonly act: Act;
}

export type RefundRefusal = Refusal<'OrderNotFound'> | Refusal<'NothingToRefund'> | PaymentDeclined;

/** An order of which something is going back. */
type Returning = OrderDocument & { readonly returning: OrderReturn };

const MAJORITY = { writeConcern: { w: 'majority' } } as const;

/** @throws BusyError a checkout or another refund of the order has not ended, or it is not known yet whether it was paid back */
export async function refundOrder(
  db: Db,
  provider: PaymentProvider,
  refund: OrderRefund,
  now: Date,
): Promise<OrderDocument | RefundRefusal> {
  const begun = await intend(db, refund, now);
  if ('__typename' in begun) return begun;
  if (!isReturning(begun)) return begun; // this call has done it before
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
    if (order.returning) throw new BusyError('Another refund of this order is under way');
    const lines = linesToReturn(order, raise);
    if (typeof lines === 'string') return refuse('NothingToRefund', lines);
    await requirePaid(db, order);
    const amount = sumOf(lines);
    const detail = `${amount} ${order.currency}`;
    const entry = intendAct(act, { action: 'ORDER_REFUNDED', subject: orderId, detail, call });
    const raises = raise === null ? (order.raised ?? []).map(({ cart }) => cart) : [raise];
    const returning: OrderReturn = { call, lines, amount, ...(raise !== null && { raise }), raises, entry, at: now };
    const begun = await orders(db).findOneAndUpdate(
      // Guard: no other refund, and the order is as it was read: each raise and each refund leaves its mark.
      {
        _id: orderId,
        returning: { $exists: false },
        raises: { $size: order.raises.length },
        refunds: order.refunds ? { $size: order.refunds.length } : { $exists: false },
      },
      { $set: { returning } },
      { returnDocument: 'after', ...MAJORITY },
    );
    if (begun) return begun;
  }
}

/** @returns why nothing can go back, or what does */
function linesToReturn(order: OrderDocument, raise: string | null): OrderLine[] | string {
  if (raise === null) return order.lines.length > 0 ? order.lines : 'All of the order has been refunded';
  const raised = order.raised?.find(({ cart }) => cart === raise);
  if (!raised) return 'The order was not raised by this';
  if (raised.taken_back_at) return 'These units have been taken back';
  const { sku, title, qty, price } = raised;
  return [{ sku, title, qty, price }];
}

/** Not before the units count as sold. @throws BusyError */
async function requirePaid(db: Db, { cart, raises }: OrderDocument): Promise<void> {
  const pending = { _id: { $in: [cart, ...raises] }, state: 'PENDING' as const };
  if (await carts(db).findOne(pending, { projection: { _id: 1 } }))
    throw new BusyError('A checkout of the order has not ended yet');
}

const sumOf = (lines: readonly OrderLine[]): number => lines.reduce((sum, { qty, price }) => sum + qty * price, 0);

/** After the provider has answered. */
async function conclude(
  db: Db,
  { _id, returning: { call } }: Returning,
  outcome: PaymentOutcome,
  now: Date,
): Promise<OrderDocument | RefundRefusal> {
  if (outcome.state === 'DECLINED') {
    failpoint('order.refund.declined');
    await orders(db).updateOne({ _id, 'returning.call': call }, { $unset: { returning: '' } }, MAJORITY); // guard: this refund's
    return refuse('PaymentDeclined', outcome.message, { reason: outcome.reason });
  }
  failpoint('order.refund.paid');
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, (session) =>
    giveBack(db, session, _id, call, now),
  );
  failpoint('order.refund.concluded');
  return value ?? refuse('OrderNotFound', 'There is no such order');
}

/** Guard: all of it is read and written in the transaction; once, since the note goes with it. */
async function giveBack(db: Db, session: ClientSession, _id: string, call: string, now: Date) {
  const order = await orders(db).findOne({ _id }, { session });
  if (!order || order.returning?.call !== call) return order; // it was done before
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
  // Guard: it has sold them. One that is gone, or was made anew since, gets nothing back.
  for (const { sku, qty } of lines)
    await products(db).updateOne({ _id: sku, sold: { $gte: qty } }, { $inc: { sold: -qty, qty } }, { session });
  await recordEntry(db, session, entry);
  return after;
}

const unitsOf = (lines: readonly OrderLine[], { sku, price }: OrderLine): number =>
  lines.find((line) => line.sku === sku && line.price === price)?.qty ?? 0;

/**
 * @param since refunds that have not got on since
 * @returns how many were brought to their ends
 * @throws AggregateError some failed, otherwise than by the provider's not being able to tell yet
 */
export function recoverRefunds(db: Db, provider: PaymentProvider, since: Date, now: Date): Promise<number> {
  const left = orders(db).find({ 'returning.at': { $lt: since } });
  return settleEach('Refunds', left, async (order) => {
    if (isReturning(order)) await conclude(db, order, await provider.settleRefund(chargeOf(order), now), now);
    failpoint('order.refund.recovered');
  });
}
