/** Recording receipts. The API and the routes for browsers make the same calls. */
import type { Db } from 'mongodb';
import { type Durability, noteWrite } from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { type Money, requireAmount } from '../../commerce/money/money.js';
import type { AdSigner } from '../decisions/ad-signer.js';
import { type EventKind, requireReceipt } from '../decisions/receipt.js';
import type { AdRecorder } from './ad-recorder.js';
import type { EventOutcome } from './receipt-group.js';

/** Where receipts are recorded. */
export interface ReceiptDestination {
  /** The caller's handle, on which the write is noted for `extensions.writtenAt`. */
  readonly db: Db;
  readonly signer: AdSigner;
  readonly recorder: AdRecorder;
}

export interface ReceiptWrite {
  readonly kind: EventKind;
  readonly receipts: readonly string[];
  readonly durability: Durability;
  /** Of a conversion, with the store's currency. */
  readonly value?: { readonly given: Money; readonly currency: string } | undefined;
  /** The visitor's profile is neither read nor written, and no impression of an ad with caps is counted. */
  readonly isPrivate: boolean;
  readonly now: Date;
}

export interface RecordedReceipts {
  readonly recorded: number;
  readonly repeated: number;
  readonly rejected: readonly RejectedItem[];
}

export const RECEIPTS_MAX = 1000;
const VALUE_MAX = 1_000_000_000;
const CAPPED = 'The visitor has seen the ad as often as its caps allow';
const UNKNOWN = 'The ad has frequency caps, and the visitor wants to stay unknown';

/** May be repeated: a receipt counts once. @throws LimitError more than 1,000 @throws InputError the value is invalid */
export async function recordReceipts(
  { db, signer, recorder }: ReceiptDestination,
  { kind, receipts, durability, value, isPrivate, now }: ReceiptWrite,
): Promise<RecordedReceipts> {
  requireFew(receipts, RECEIPTS_MAX);
  const amount = value && requireValue(value.given, value.currency);
  const checked = checkEach(receipts, (text, index) => {
    const field = kind === 'CONVERSION' ? 'receipt' : `receipts.${index}`; // `recordConversion` has one
    const receipt = requireReceipt(signer, kind, field, text, now);
    return {
      kind,
      receipt: isPrivate ? { ...receipt, visitor: '' } : receipt,
      isPrivate,
      ...(amount !== undefined && { value: amount }),
    };
  });
  if (checked.accepted.length === 0) return { recorded: 0, repeated: 0, rejected: checked.rejected };
  const { outcomes, writtenAt } = await recorder.record(checked.accepted, durability);
  noteWrite(db, writtenAt); // the group's transaction is not part of this operation
  const rejected = outcomes.flatMap((outcome, index) => rejectionOf(outcome, index, isPrivate));
  const number = (wanted: EventOutcome['state']) => outcomes.filter((outcome) => outcome === wanted).length;
  return { recorded: number('RECORDED'), repeated: number('REPEATED'), rejected: allRejected(checked, rejected) };
}

/** @throws LimitError */
export function requireFew(receipts: readonly string[], max: number): void {
  if (receipts.length > max) throw new LimitError(`${receipts.length} receipts are too many for one request`, max);
}

function requireValue({ amount, currency }: Money, expected: string): number {
  if (currency !== expected) throw new InputError('value.currency', `must be ${expected}`);
  return requireAmount('value.amount', amount, { min: 0, max: VALUE_MAX, currency });
}

function rejectionOf(outcome: EventOutcome['state'], index: number, isPrivate: boolean): RejectedItem[] {
  if (outcome === 'CAPPED') return [{ index, code: 'LIMIT_EXCEEDED', message: isPrivate ? UNKNOWN : CAPPED }];
  if (outcome === 'UNSEEN')
    return [{ index, code: 'NOT_FOUND', message: 'No impression and no click of this receipt was counted' }];
  if (outcome === 'UNKNOWN') return [{ index, code: 'NOT_FOUND', message: 'There is no such campaign' }];
  return [];
}
