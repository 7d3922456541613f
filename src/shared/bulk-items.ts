/** The items of a bulk call. Invalid and rejected items do not affect the others: they are listed by their position in the input. */
import { type ErrorCode, InputError } from './errors.js';

/** An item of a bulk call that was not stored. */
export interface RejectedItem {
  /** The item's zero-based position in the input list. */
  readonly index: number;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface CheckedItems<Item> {
  readonly accepted: readonly Item[];
  /** The position of each accepted item in the input list. */
  readonly positions: readonly number[];
  readonly rejected: readonly RejectedItem[];
}

/** @param check returns the item to store, or throws an InputError, which rejects this item only */
export function checkEach<Input, Item>(
  inputs: readonly Input[],
  check: (input: Input, index: number) => Item,
): CheckedItems<Item> {
  const accepted: Item[] = [];
  const positions: number[] = [];
  const rejected: RejectedItem[] = [];
  for (const [index, input] of inputs.entries()) {
    try {
      accepted.push(check(input, index));
      positions.push(index);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      rejected.push({ index, code: error.code, message: error.message });
    }
  }
  return { accepted, positions, rejected };
}

/**
 * All rejected items of a call, in the order of the input.
 * @param later accepted items that were rejected later, by their position among the accepted ones
 */
export function allRejected(checked: CheckedItems<unknown>, later: readonly RejectedItem[]): RejectedItem[] {
  const moved = later.map((item) => ({ ...item, index: checked.positions[item.index] ?? item.index }));
  return [...checked.rejected, ...moved].sort((one, other) => one.index - other.index);
}
