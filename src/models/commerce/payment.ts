/**
 * How a checkout is paid. The provider keeps a record of each charge under its key; after a crash that record decides what the checkout
 * did. A real provider takes the place of the default one by implementing the two functions.
 */
import type { Db } from 'mongodb';
import { STORE_ACCOUNT } from './account.js';
import type { Money } from './money.js';
import { forbidTransfer, settleTransfer, type TransferInput, transfer } from './transfer.js';

export type DeclineReason = 'INSUFFICIENT_FUNDS' | 'ACCOUNT_UNKNOWN' | 'CURRENCY_MISMATCH' | 'INTERRUPTED' | 'REFUSED';

export type PaymentOutcome =
  | { readonly state: 'PAID' }
  | { readonly state: 'DECLINED'; readonly reason: DeclineReason; readonly message: string };

export interface Charge {
  /** The same key never charges twice. */
  readonly key: string;
  /** Who pays; of a refund, who is paid. */
  readonly account: string;
  readonly amount: Money;
}

export interface PaymentProvider {
  /**
   * Charges, or tells what came of an earlier charge with this key. What was declined stays declined under its key: of two processes that
   * carry a checkout on, one may give the cart back upon it.
   * @throws anything when it is not known whether the charge was made: the checkout stays open, and `settle` is asked later
   */
  charge(charge: Charge, now: Date): Promise<PaymentOutcome>;
  /** What came of a charge. One that was not made never will be after this. @throws as `charge` */
  settle(charge: Charge, now: Date): Promise<PaymentOutcome>;
  /** Pays back, as `charge` charges. */
  refund(charge: Charge, now: Date): Promise<PaymentOutcome>;
  /** What came of paying back, as `settle` tells it. */
  settleRefund(charge: Charge, now: Date): Promise<PaymentOutcome>;
}

const PAID: PaymentOutcome = { state: 'PAID' };
const interrupted: PaymentOutcome = {
  state: 'DECLINED',
  reason: 'INTERRUPTED',
  message: 'The payment was interrupted. Nothing was charged',
};

/** The default: a transfer from the buyer's account to the store's, and back. */
export function payByTransfer(db: Db): PaymentProvider {
  const payment = ({ account, amount }: Charge) =>
    ({ from: account, to: STORE_ACCOUNT, amount, kind: 'PAYMENT' }) as const;
  const refund = ({ account, amount }: Charge) =>
    ({ from: STORE_ACCOUNT, to: account, amount, kind: 'REFUND' }) as const;
  return {
    charge: (charge, now) => move(db, charge.key, payment(charge), now),
    settle: (charge, now) => settle(db, charge.key, payment(charge), now),
    refund: (charge, now) => move(db, charge.key, refund(charge), now),
    settleRefund: (charge, now) => settle(db, charge.key, refund(charge), now),
  };
}

async function move(db: Db, key: string, input: TransferInput, now: Date): Promise<PaymentOutcome> {
  if (input.amount.amount === 0) return PAID; // what costs nothing moves no money
  const made = await transfer(db, key, input, now);
  if ('state' in made) return PAID;
  return { state: 'DECLINED', reason: reasons[made.__typename], message: made.message };
}

async function settle(db: Db, key: string, input: TransferInput, now: Date): Promise<PaymentOutcome> {
  if (input.amount.amount === 0) return PAID;
  await forbidTransfer(db, key, input, now);
  const settled = await settleTransfer(db, key, now);
  return settled?.state === 'RETIRED' ? PAID : interrupted;
}

const reasons = {
  InsufficientFunds: 'INSUFFICIENT_FUNDS',
  AccountNotFound: 'ACCOUNT_UNKNOWN',
  SameAccount: 'ACCOUNT_UNKNOWN',
  CurrencyMismatch: 'CURRENCY_MISMATCH',
  TransferInterrupted: 'INTERRUPTED',
} as const satisfies Record<string, DeclineReason>;
