/** Which fields of a request are stored: the setting LOG_FIELDS. Imports nothing, because the configuration reads it. */
import type { RequestFields } from '../log-growth/log-segment.js';

const ALWAYS = ['site', 'time', 'host', 'status'] as const;
const OPTIONAL = ['logname', 'user', 'method', 'path', 'page', 'protocol', 'bytes', 'referrer', 'user_agent'] as const;

/** The names allowed in the setting. Those in ALWAYS are kept without being listed. */
export const logFields: readonly string[] = [...ALWAYS, ...OPTIONAL];
export const isLogField = (name: string): boolean => logFields.includes(name);

export type KeptFields = ReadonlySet<(typeof OPTIONAL)[number]>;

/** @param names some of `logFields`; an empty list keeps all */
export function keptFields(names: readonly string[]): KeptFields {
  return new Set(names.length === 0 ? OPTIONAL : OPTIONAL.filter((field) => names.includes(field)));
}

/** Removes fields that are not kept, before anything is stored. */
export function keepFields(fields: RequestFields, kept: KeptFields): RequestFields {
  if (kept.size === OPTIONAL.length) return fields;
  const less = { ...fields };
  for (const field of OPTIONAL) if (!kept.has(field)) less[field] = undefined;
  return less;
}
