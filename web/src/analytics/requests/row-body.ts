/** Which part of a long list its scrollable body holds. */

/**
 * Browsers do not draw elements much higher than 16 million pixels. The body of a longer list is limited to this
 * height, and shifts to another stretch of the list when its end comes near.
 */
export const BODY_ROWS_MAX = 200_000;
const BODY_EDGE_ROWS = 20_000;

/** The row at the body's top if `row` is to be visible. @param base the current row at the top */
export function baseFor(row: number, base: number, rows: number): number {
  if (rows <= BODY_ROWS_MAX) return 0;
  const place = row - base;
  const isWithin = (place >= BODY_EDGE_ROWS || base === 0) && place < BODY_ROWS_MAX - BODY_EDGE_ROWS;
  return isWithin ? base : Math.max(0, row - BODY_ROWS_MAX / 2);
}
