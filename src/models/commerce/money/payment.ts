/**
 * How a checkout is paid. The provider keeps a record of each charge under its key. After a crash that record decides the outcome of the
 * checkout. A real provider replaces the default one by implementing this interface.
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
  /** The account that pays or, for a refund, is paid. */
  readonly account: string;
  readonly amount: Money;
}

export interface PaymentProvider {
  /**
   * Charges, or returns the outcome of an earlier charge with this key. A declined charge stays declined under its key, because another
   * process that continues the checkout may already have unlocked the cart.
   * @throws anything when it is not known whether the charge was made: the checkout stays open, and `settle` is called later
   */
  charge(charge: Charge, now: Date): Promise<PaymentOutcome>;
  /** The outcome of a charge. A charge that was not made is prevented from then on. @throws as `charge` */
  settle(charge: Charge, now: Date): Promise<PaymentOutcome>;
  /** Pays money back, in the same way as `charge`. */
  refund(charge: Charge, now: Date): Promise<PaymentOutcome>;
  /** The outcome of a refund, in the same way as `settle`. */
  settleRefund(charge: Charge, now: Date): Promise<PaymentOutcome>;
}

const PAID: PaymentOutcome = { state: 'PAID' };
const interrupted: PaymentOutcome = {
  state: 'DECLINED',
  reason: 'INTERRUPTED',
  message: 'The payment was interrupted. Nothing was charged',
};

/** The default provider: a transfer from the buyer's account to the store's, and back for refunds. */
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
  if (input.amount.amount === 0) return PAID; // an amount of zero moves no money
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
