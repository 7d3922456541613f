/**
 * How a checkout is paid. The provider keeps a record of each charge under its key; after a crash that record decides what the checkout
 * did. A real provider takes the place of the default one by implementing the two functions.
 */
import type { Db } from 'mongodb';
import { STORE_ACCOUNT } from './account.js';
import type { Money } from './money.js';
import { settleTransfer, transfer } from './transfer.js';
import { forbidTransfer } from './transfer-recovery.js';

export type DeclineReason = 'INSUFFICIENT_FUNDS' | 'ACCOUNT_UNKNOWN' | 'CURRENCY_MISMATCH' | 'INTERRUPTED' | 'REFUSED';

export type PaymentOutcome =
  | { readonly state: 'PAID' }
  | { readonly state: 'DECLINED'; readonly reason: DeclineReason; readonly message: string };

export interface Charge {
  /** The same key never charges twice. */
  readonly key: string;
  /** Who pays. */
  readonly account: string;
  readonly amount: Money;
}

export interface PaymentProvider {
  /**
   * Charges, or tells what came of an earlier charge with this key.
   * @throws anything when it is not known whether the charge was made: the checkout stays open, and `settle` is asked later
   */
  charge(charge: Charge, now: Date): Promise<PaymentOutcome>;
  /** What came of a charge. One that was not made never will be after this. @throws as `charge` */
  settle(charge: Charge, now: Date): Promise<PaymentOutcome>;
}

const PAID: PaymentOutcome = { state: 'PAID' };
const interrupted: PaymentOutcome = {
  state: 'DECLINED',
  reason: 'INTERRUPTED',
  message: 'The payment was interrupted. Nothing was charged',
};

/** The default: a transfer from the buyer's account to the store's. */
export function payByTransfer(db: Db): PaymentProvider {
  const inputOf = ({ account, amount }: Charge) => ({ from: account, to: STORE_ACCOUNT, amount });
  return {
    async charge(charge, now) {
      if (charge.amount.amount === 0) return PAID; // what costs nothing moves no money
      const made = await transfer(db, charge.key, inputOf(charge), now);
      if ('state' in made) return PAID;
      return { state: 'DECLINED', reason: reasons[made.__typename], message: made.message };
    },
    async settle(charge, now) {
      if (charge.amount.amount === 0) return PAID;
      await forbidTransfer(db, charge.key, inputOf(charge), now);
      const settled = await settleTransfer(db, charge.key, now);
      return settled?.state === 'RETIRED' ? PAID : interrupted;
    },
  };
}

const reasons = {
  InsufficientFunds: 'INSUFFICIENT_FUNDS',
  AccountNotFound: 'ACCOUNT_UNKNOWN',
  SameAccount: 'ACCOUNT_UNKNOWN',
  CurrencyMismatch: 'CURRENCY_MISMATCH',
  TransferInterrupted: 'INTERRUPTED',
} as const satisfies Record<string, DeclineReason>;
