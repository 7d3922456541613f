import type { recordRows } from '../../../src/models/system/work/data-import.js';
import type { WorkKind } from '../../../src/models/work.js';

export interface CountingInput {
  /** The rows to store: the numbers from 0 on. Every tenth is rejected. */
  readonly rows: number;
  /** The number of rows per step. */
  readonly batch: number;
}

export const COUNTED: string;
export function makeCountingKind(deps: { readonly recordRows: typeof recordRows }): Required<WorkKind>;
