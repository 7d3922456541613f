import type { Db } from 'mongodb';
import type { GroupKind, SeparateRecords } from '../../../src/database/index.js';

export interface Receipt {
  readonly id: string;
  readonly budget: string;
  /** MongoDB rejects its document, because of its `_id`. */
  readonly damaged?: boolean;
  /** The kind's own code throws. */
  readonly faulty?: boolean;
}

export type ReceiptOutcome = 'RECORDED' | 'REPEATED' | 'BUDGET_USED_UP';

export type Step = 'inserted' | 'taken' | 'committed';

export function receiptGroups(
  db: Db,
  step: (name: Step) => void,
  separateRecords: typeof SeparateRecords,
  /** Called with the entries of each attempt. */
  observe?: (entries: readonly Receipt[]) => void,
): GroupKind<Receipt, Receipt, ReceiptOutcome>;
