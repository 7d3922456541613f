/** The store: its one currency, how it is paid, and how long things may take. Made once for a process. */
import type { Db } from 'mongodb';
import { ensureStoreAccount } from './account.js';
import { type PaymentProvider, payByTransfer } from './payment.js';

export interface StoreRules {
  /** ISO 4217. */
  readonly currency: string;
  /** A cart that nobody has changed for this long expires. */
  readonly cartIdleMs: number;
  /** A workflow that has not got on for this long is taken over by the workers. */
  readonly recoverAfterMs: number;
  /** How long the answer to an idempotency key is kept. */
  readonly keepAnswersMs: number;
}

export interface Store extends StoreRules {
  readonly payment: PaymentProvider;
}

/** @param payment another provider than the transfer between accounts */
export async function openStore(db: Db, rules: StoreRules, now: Date, payment = payByTransfer(db)): Promise<Store> {
  await ensureStoreAccount(db, rules.currency, now);
  return { ...rules, payment };
}
