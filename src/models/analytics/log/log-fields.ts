/** Which fields of a request are stored: the setting LOG_FIELDS. */
import { OPTIONAL_LOG_FIELDS } from '../../../shared/log-fields.js';
import type { RequestFields } from '../log-growth/log-segment.js';

export type KeptFields = ReadonlySet<(typeof OPTIONAL_LOG_FIELDS)[number]>;

/** @param names some of `logFields`; an empty list keeps all */
export function keptFields(names: readonly string[]): KeptFields {
  return new Set(
    names.length === 0 ? OPTIONAL_LOG_FIELDS : OPTIONAL_LOG_FIELDS.filter((field) => names.includes(field)),
  );
}

/** Removes fields that are not kept, before anything is stored. */
export function keepFields(fields: RequestFields, kept: KeptFields): RequestFields {
  if (kept.size === OPTIONAL_LOG_FIELDS.length) return fields;
  const less = { ...fields };
  for (const field of OPTIONAL_LOG_FIELDS) if (!kept.has(field)) less[field] = undefined;
  return less;
}
