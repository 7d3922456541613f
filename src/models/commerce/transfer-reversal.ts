/**
 * A transfer that was carried out is taken back by another one, from its destination to its source.
 * Invariant: of the reversals of a transfer at most one is carried out. The transfer notes which one it is before that one begins; so of
 * several that are asked for at once one goes on, and the note of one that came to nothing is taken over by the next.
 */
import type { Db } from 'mongodb';
import { BusyError } from '../../shared/errors.js';
import { failpoint } from '../../shared/failpoint.js';
import { type Refusal, refuse } from '../../shared/outcome.js';
import type { AuditDocument } from '../people/audit.js';
import { STORE_ACCOUNT } from './account.js';
import { isOfOrder } from './order.js';
import {
  findTransfer,
  forbidTransfer,
  type TransferDocument,
  type TransferInput,
  type TransferRefusal,
  transactions,
  transfer,
} from './transfer.js';

export type ReversalReason = 'NOT_CARRIED_OUT' | 'ALREADY_REVERSED' | 'IS_A_REVERSAL' | 'OF_AN_ORDER';

export type ReversalRefusal =
  | TransferRefusal
  | Refusal<'TransferNotFound'>
  | Refusal<'TransferNotReversible', { reason: ReversalReason }>;

export interface Reversal {
  /** Names the call: repeated with the same name, it is carried on. */
  readonly call: string;
  /** Of the transfer. */
  readonly id: string;
  /** Of an administrator's act: its entry for the audit trail. */
  readonly entry?: AuditDocument | undefined;
}

const MAJORITY = { writeConcern: { w: 'majority' } } as const;

/**
 * @returns the reversal, RETIRED; or a refusal, and then no balance has changed
 * @throws BusyError another reversal of the same transfer is under way
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
  // Guard: the note is this reversal's. Nothing has come of it, and nothing will.
  await transactions(db).updateOne({ _id: id, reversed_by: call }, { $unset: { reversed_by: '' } }, MAJORITY);
  return outcome;
}

export const transferNotFound = () => refuse('TransferNotFound', 'There is no such transfer');

async function whyNot(db: Db, { _id, state, kind, reverses, to }: TransferDocument) {
  if (state !== 'RETIRED') return notReversible('NOT_CARRIED_OUT', 'The transfer was not carried out');
  if (reverses !== undefined) return notReversible('IS_A_REVERSAL', 'It takes back another one; transfer anew instead');
  // Before payments were marked, an order's first one had the order's id, and that of a raise the raise's.
  const isPayment = kind !== undefined || (to === STORE_ACCOUNT && (await isOfOrder(db, _id)));
  return isPayment ? notReversible('OF_AN_ORDER', 'It belongs to an order: refund the order instead') : null;
}

const notReversible = (reason: ReversalReason, message: string) => refuse('TransferNotReversible', message, { reason });

/** @returns null when this reversal may begin */
async function claim(db: Db, given: TransferDocument, call: string, back: TransferInput, now: Date) {
  const { _id, reversed_by: before } = given;
  if (before === call) return null; // claimed by this call before
  if (before !== undefined && !(await cameToNothing(db, before, back, now)))
    return notReversible('ALREADY_REVERSED', 'The transfer has been taken back');
  const { matchedCount } = await transactions(db).updateOne(
    { _id, reversed_by: before === undefined ? { $exists: false } : before }, // guard: nobody has claimed it meanwhile
    { $set: { reversed_by: call } },
    MAJORITY,
  );
  if (matchedCount === 0) throw new BusyError('The transfer is being taken back');
  return null;
}

/** @throws BusyError it is under way */
async function cameToNothing(db: Db, reversal: string, back: TransferInput, now: Date): Promise<boolean> {
  await forbidTransfer(db, reversal, back, now); // one that was claimed and never begun
  const state = (await findTransfer(db, reversal))?.state;
  if (state === 'NEW' || state === 'ROLLBACK') throw new BusyError('The transfer is being taken back');
  return state === 'REVERSED';
}
