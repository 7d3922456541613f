/** Lines of a file of JSON lines. */
import type { FileLine } from '../file-lines.js';
import { RowError } from './row-error.js';
import type { Fields } from './row-fields.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const RAW_LENGTH_MAX = 5000; // somewhat more than what is kept of it

/** Empty lines are no rows. */
export const isEmptyLine = ({ bytes }: Pick<FileLine, 'bytes'>): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09);

/** The beginning of a line, for whoever looks for what is wrong with it. */
export const rawOf = ({ bytes }: Pick<FileLine, 'bytes'>): string => bytes.toString('utf8', 0, RAW_LENGTH_MAX);

/** @throws RowError TOO_LONG, NOT_UTF8, NOT_JSON */
export function fieldsOfLine({ bytes, isTooLong }: Pick<FileLine, 'bytes' | 'isTooLong'>): Fields {
  if (isTooLong) throw new RowError('TOO_LONG');
  try {
    const value: unknown = JSON.parse(decoded(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch (error) {
    if (error instanceof RowError) throw error;
    // as any other text
  }
  throw new RowError('NOT_JSON');
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes); // skips a byte order mark
  } catch {
    throw new RowError('NOT_UTF8');
  }
}
