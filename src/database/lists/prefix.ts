const LAST_CHARACTER = '\u{10ffff}';

/**
 * Matches strings with this prefix. A range, so only that part of the index is scanned. Strings compare by their UTF-8 bytes.
 */
export const beginningWith = (prefix: string) => ({ $gte: prefix, $lt: `${prefix}${LAST_CHARACTER}` });
