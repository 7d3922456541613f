/** What those who build a world enter. */
import { InputError, LimitError } from '../../../shared/errors.js';
import { requireNothingHidden } from '../../../shared/visible-text.js';

const KEY = /^[\p{L}\p{N}._:-]{1,64}$/u;
const SAVED_MAX = 500;

/** @throws InputError */
export function requireKey(field: string, key: string): string {
  if (!KEY.test(key)) throw new InputError(field, 'must have 1 to 64 letters, digits and the characters ._:-');
  return key;
}

/** Lines are separated by `\n`. Nothing else in it may be hidden. @throws InputError */
export function requireDescription(field: string, text: string, lengthMax: number): string {
  const lines = text.replace(/\r\n?/g, '\n').trim();
  if (lines.length > lengthMax) throw new InputError(field, `must have at most ${lengthMax} characters`);
  requireNothingHidden(field, lines.replace(/[\n\t]/g, ' '));
  return lines;
}

/** @throws InputError */
export function requireBetween(field: string, value: number, min: number, max: number): number {
  if (value < min || value > max) throw new InputError(field, `must be from ${min} to ${max}`);
  return value;
}

/** @throws LimitError */
export function requireAtMost(count: number): void {
  if (count > SAVED_MAX) throw new LimitError(`A call saves at most ${SAVED_MAX}`, SAVED_MAX);
}
