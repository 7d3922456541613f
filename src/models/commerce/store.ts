/** The store: its only currency, its payment provider, and its time limits. Created once per process. */
import type { Db } from 'mongodb';
import { ensureStoreAccount } from './money/account.js';
import { type PaymentProvider, payByTransfer } from './money/payment.js';

export interface StoreRules {
  /** ISO 4217. */
  readonly currency: string;
  /** A cart expires when it has not been changed for this long. */
  readonly cartIdleMs: number;
  /** A workflow without progress for this long is taken over by the recovery workers. */
  readonly recoverAfterMs: number;
  /** How long the answer to an idempotency key is kept. */
  readonly keepAnswersMs: number;
}

export interface Store extends StoreRules {
  readonly payment: PaymentProvider;
}

/** @param payment a provider to use instead of transfers between accounts */
export async function openStore(db: Db, rules: StoreRules, now: Date, payment = payByTransfer(db)): Promise<Store> {
  await ensureStoreAccount(db, rules.currency, now);
  return { ...rules, payment };
}
