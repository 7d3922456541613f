/** Where rooms were moved by hand. The server knows no places: this browser does. */
import { useCallback, useState } from 'react';
import type { Cell } from '../../map/place.js';

const KEY = 'sextant.game.cells';

export type Cells = Readonly<Record<string, Cell>>;

function read(): Cells {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Cells;
  } catch {
    return {};
  }
}

export function useCells() {
  const [cells, setCells] = useState(read);
  const change = useCallback((next: Cells) => {
    setCells(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // full, or switched off: it is forgotten with the page
    }
  }, []);
  return [cells, change] as const;
}
