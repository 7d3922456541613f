/**
 * How wide each photo of a grid may be shown, for the browser's choice among its sizes. The style sheet fills rows: a photo is as wide as
 * its proportion times the usual height of a row (`--row`), times the stretch of its row, which depends on the photos around it.
 */

interface Window {
  /** As `sizes` writes it. Up to this width; null for all wider ones. */
  readonly upTo: string | null;
  /** The width of the grid. */
  readonly grid: string;
  /** `--row`, where `rem` is that of the browser, not of the page. */
  readonly row: string;
  /** The width of the grid in rows' heights is between these, less the gaps. */
  readonly rowsMin: number;
  readonly rowsMax: number;
}

/** Below these, each photo has a row of its own. */
const ALONE = '(max-width: 32rem) 100vw';
const WINDOWS: readonly Window[] = [
  { upTo: '48rem', grid: '92vw', row: '10.1rem', rowsMin: 2.8, rowsMax: 4.4 },
  {
    upTo: null,
    grid: 'min(92vw, 58.8rem + 16.8vw, 90rem)',
    row: 'clamp(10.1rem, 17vw, 21rem)',
    rowsMin: 4,
    rowsMax: 5.5,
  },
];
const STRETCH_MAX = 3;
const ROWS_MAX = Math.max(...WINDOWS.map(({ rowsMax }) => rowsMax));
/** For roundings. */
const MARGIN = 1.03;

/** @param ratios of the photos, width by height, in their order @returns the attribute `sizes` of each */
export function photoSizes(ratios: readonly number[]): string[] {
  return ratios.map((ratio, at) => {
    const next = widestNext(ratios, at);
    return [ALONE, ...WINDOWS.map((window) => sizeIn(window, ratio, next))].join(', ');
  });
}

/** The widest photo that can be the first one of the next row: it decides how much of the row of this one is left to fill. */
function widestNext(ratios: readonly number[], at: number): number {
  let widest = 0;
  let filled = ratios[at] ?? 0;
  for (const ratio of ratios.slice(at + 1)) {
    widest = Math.max(widest, ratio);
    filled += ratio;
    if (filled > ROWS_MAX) break;
  }
  return widest;
}

/**
 * A row of photos whose proportions sum up to S is stretched by W / S to the width W of the grid, all in heights of rows. S is at least
 * the photo's own ratio and, because the next photo had no room, at least W - next. So the photo is widest where both are equal.
 */
function sizeIn({ upTo, grid, row, rowsMin, rowsMax }: Window, ratio: number, next: number): string {
  const width = Math.min(rowsMax, Math.max(rowsMin, ratio + next));
  const stretch = Math.min(STRETCH_MAX, width / Math.max(ratio, width - next));
  const rows = (ratio * stretch * MARGIN).toFixed(1);
  const size = `min(${grid}, ${rows} * ${row})`;
  return upTo === null ? size : `(max-width: ${upTo}) ${size}`;
}
