const LAST_CHARACTER = '\u{10ffff}';

/**
 * Matches texts that begin so. A range, so the index is read from the prefix to its end and nowhere else. Strings are compared by their
 * UTF-8.
 */
export const beginningWith = (prefix: string) => ({ $gte: prefix, $lt: `${prefix}${LAST_CHARACTER}` });
