/** Cells of a map as points of its drawing. */
import type { Cell } from './place.js';
import type { Point } from './use-view.js';

export const CELL = { width: 136, height: 84 } as const;
export const BOX = { width: 104, height: 40 } as const;

export const pointOf = ({ x, y }: Cell): Point => ({ x: x * CELL.width, y: y * CELL.height });

export const cellAt = ({ x, y }: Point): Cell => ({ x: Math.round(x / CELL.width), y: Math.round(y / CELL.height) });

const LETTERS_MAX = 14;

/** A name that fits into a box: without its article, if it has one. */
export function shortName(name: string): string {
  const bare = name.replace(/^(?:the|an|a) /i, '');
  const short = bare.length <= LETTERS_MAX ? bare : `${bare.slice(0, LETTERS_MAX - 1).trimEnd()}…`;
  return short.charAt(0).toUpperCase() + short.slice(1);
}
