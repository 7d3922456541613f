/** Keeps the focus in the list when a comment, with the button that was pressed, becomes one line. */
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Queue } from './queue.js';

/** The checkboxes of the cases that wait, in the order of the list. */
export const boxesOf = (list: HTMLElement | null): HTMLInputElement[] => [
  ...(list?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]:enabled') ?? []),
];

export const rowOf = (list: HTMLElement | null, id: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-case="${CSS.escape(id)}"]`) ?? null;

/** @returns call it with the last id of a decision: the next case that waits gets the focus when the decision shows */
export function useFocusAfter(list: RefObject<HTMLElement | null>, queue: Queue): (id: string | null) => void {
  const decided = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the queue has changed
  useEffect(() => {
    const row = decided.current === null ? null : rowOf(list.current, decided.current);
    if (!row || row.querySelector('input')) return; // its decision does not show yet
    decided.current = null;
    const boxes = boxesOf(list.current);
    const next = boxes.find((box) => row.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
    const target = next ?? boxes.at(-1) ?? row.querySelector('button') ?? document.getElementById('main');
    target?.focus();
  }, [list, queue]);
  return useCallback((id) => {
    decided.current = id;
  }, []);
}
