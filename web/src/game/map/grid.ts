/** Cells of a map as points of its drawing. */
import type { Cell } from './place.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const CELL = { width: 136, height: 84 } as const;
export const BOX = { width: 104, height: 40 } as const;

export const pointOf = ({ x, y }: Cell): Point => ({ x: x * CELL.width, y: y * CELL.height });

export const cellAt = ({ x, y }: Point): Cell => ({ x: Math.round(x / CELL.width), y: Math.round(y / CELL.height) });
