/** The fields of a line of JSON, checked. They are rejected as INVALID_FIELD, times as INVALID_DATE. */
import { parseDateTime } from '../../../../shared/time.js';
import { RowError } from './row-error.js';

export type Fields = Readonly<Record<string, unknown>>;

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new RowError('INVALID_FIELD', name);
  return value;
}

/** @param max of its absolute value */
export function numberIn(fields: Fields, name: string, max: number): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(Math.abs(value) <= max)) throw new RowError('INVALID_FIELD', name);
  return value;
}

export function textsIn(fields: Fields, name: string): string[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const texts = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string'))
    throw new RowError('INVALID_FIELD', name);
  return texts as string[];
}

export function dateIn(fields: Fields, name: string): Date | undefined {
  const text = textIn(fields, name);
  const date = text === undefined ? undefined : parseDateTime(text);
  if (date === null) throw new RowError('INVALID_DATE', name);
  return date;
}

export function oneOf<T extends string>(fields: Fields, name: string, values: readonly T[]): T | undefined {
  const text = textIn(fields, name);
  if (text !== undefined && !values.includes(text as T)) throw new RowError('INVALID_FIELD', name);
  return text as T | undefined;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** Without the fields that are undefined. */
export const defined = <T extends object>(row: T): Defined<T> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Defined<T>;
