/** Sizes of ads and zones in pixels, as text: `300x250`. */
import { InputError } from '../../../shared/errors.js';

const PIXELS_MAX = 4000;

/** @throws InputError */
export function requireSize(field: string, text: string): string {
  const [, width, height] = /^([1-9]\d{0,3})x([1-9]\d{0,3})$/.exec(text) ?? [];
  if (Number(width) <= PIXELS_MAX && Number(height) <= PIXELS_MAX) return text;
  throw new InputError(field, `must be a size such as 300x250, each side 1 to ${PIXELS_MAX}`);
}
