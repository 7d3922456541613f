/**
 * Reverses a completed transfer by another transfer, from its destination to its source.
 * Invariant: at most one reversal of a transfer is carried out. The transfer notes which one before that reversal starts. So of several
 * concurrent requests only one continues, and the note of a failed reversal is taken over by the next.
 */
import type { Db } from 'mongodb';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import type { AuditDocument } from '../../people/audit.js';
import { STORE_ACCOUNT } from '../money/account.js';
import {
  findTransfer,
  forbidTransfer,
  type TransferDocument,
  type TransferInput,
  type TransferRefusal,
  transactions,
  transfer,
} from '../money/transfer.js';
import { isOfOrder } from './order.js';

export type ReversalReason = 'NOT_CARRIED_OUT' | 'ALREADY_REVERSED' | 'IS_A_REVERSAL' | 'OF_AN_ORDER';

export type ReversalRefusal =
  | TransferRefusal
  | Refusal<'TransferNotFound'>
  | Refusal<'TransferNotReversible', { reason: ReversalReason }>;

export interface Reversal {
  /** Identifies the call: a retry with the same id continues it. */
  readonly call: string;
  /** The id of the transfer to reverse. */
  readonly id: string;
  /** The audit entry, if this is an administrator's action. */
  readonly entry?: AuditDocument | undefined;
}

/**
 * @returns the reversal, RETIRED; or a refusal if no balance has changed
 * @throws BusyError another reversal of the same transfer is in progress
 */
export async function reverseTransfer(
  db: Db,
  { call, id, entry }: Reversal,
  now: Date,
): Promise<TransferDocument | ReversalRefusal> {
  const given = await findTransfer(db, id);
  if (!given) return transferNotFound();
  const back: TransferInput = {
    from: given.to,
    to: given.from,
    amount: { amount: given.amount, currency: given.currency },
    reverses: id,
    ...(entry && { entry }),
  };
  const refusal = (await whyNot(db, given)) ?? (await claim(db, given, call, back, now));
  if (refusal) return refusal;
  failpoint('transfer.reversal.claimed');
  const outcome = await transfer(db, call, back, now);
  if ('state' in outcome) return outcome;
  failpoint('transfer.reversal.refused');
  // Guard: the note belongs to this reversal, which has failed for good.
  await transactions(db).updateOne({ _id: id, reversed_by: call }, { $unset: { reversed_by: '' } });
  return outcome;
}

export const transferNotFound = () => refuse('TransferNotFound', 'There is no such transfer');

async function whyNot(db: Db, { _id, state, kind, reverses, to }: TransferDocument) {
  if (state !== 'RETIRED') return notReversible('NOT_CARRIED_OUT', 'The transfer was not carried out');
  if (reverses !== undefined)
    return notReversible('IS_A_REVERSAL', 'The transfer is itself a reversal. Make a new transfer instead');
  // Before payments were marked, the payment of an order had the order's id, and that of a raise the raise's id.
  const isPayment = kind !== undefined || (to === STORE_ACCOUNT && (await isOfOrder(db, _id)));
  return isPayment ? notReversible('OF_AN_ORDER', 'The transfer belongs to an order. Refund the order instead') : null;
}

const notReversible = (reason: ReversalReason, message: string) => refuse('TransferNotReversible', message, { reason });

/** @returns null when this reversal may start */
async function claim(db: Db, given: TransferDocument, call: string, back: TransferInput, now: Date) {
  const { _id, reversed_by: before } = given;
  if (before === call) return null; // already claimed by this call
  if (before !== undefined && !(await cameToNothing(db, before, back, now)))
    return notReversible('ALREADY_REVERSED', 'The transfer has already been reversed');
  const { matchedCount } = await transactions(db).updateOne(
    { _id, reversed_by: before === undefined ? { $exists: false } : before }, // guard: not claimed meanwhile
    { $set: { reversed_by: call } },
  );
  if (matchedCount === 0) throw new BusyError('The transfer is being reversed');
  return null;
}

/** @throws BusyError the reversal is in progress */
async function cameToNothing(db: Db, reversal: string, back: TransferInput, now: Date): Promise<boolean> {
  await forbidTransfer(db, reversal, back, now); // in case it was claimed but never started
  const state = (await findTransfer(db, reversal))?.state;
  if (state === 'NEW' || state === 'ROLLBACK') throw new BusyError('The transfer is being reversed');
  return state === 'REVERSED';
}
