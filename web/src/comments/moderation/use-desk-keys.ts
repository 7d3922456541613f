/** The keys of the list. They act only while the focus is in it, so that they take nothing from the rest of the page. */
import type { KeyboardEvent, RefObject } from 'react';
import type { Decision } from './moderated-comment.js';
import { boxesOf, rowOf } from './use-focus-after.js';

interface Keys {
  readonly list: RefObject<HTMLElement | null>;
  readonly open: readonly string[];
  readonly selected: readonly string[];
  readonly select: (id: string, isSelected: boolean, isRange: boolean) => void;
  readonly clear: (ids: readonly string[]) => void;
  readonly decide: (ids: readonly string[], decision: Decision) => void;
  readonly takeBack: () => void;
}

const decisions: Readonly<Record<string, Decision>> = {
  p: 'PUBLISHED',
  h: 'HIDDEN',
  d: 'DELETED',
  Delete: 'DELETED',
};
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

export function useDeskKeys({ list, open, selected, select, clear, decide, takeBack }: Keys) {
  const move = (here: string, by: number) => {
    const row = rowOf(list.current, here);
    const boxes = boxesOf(list.current);
    const own = boxes.findIndex((box) => row?.contains(box));
    if (own !== -1) return boxes[own + by]?.focus();
    const position = by > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const found = boxes.filter((box) => row && row.compareDocumentPosition(box) & position);
    (by > 0 ? found[0] : found.at(-1))?.focus();
  };
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    const here = event.target.closest<HTMLElement>('[data-case]')?.dataset.case;
    if (here === undefined) return;
    const by = steps[event.key];
    const decision = decisions[event.key];
    if (by !== undefined) move(here, by);
    else if (decision) decide(selected.length > 0 ? selected : open.filter((id) => id === here), decision);
    else if (event.key === 'x') select(here, !selected.includes(here), event.shiftKey);
    else if (event.key === 'z') takeBack();
    else if (event.key === 'Escape') clear(selected);
    else return;
    event.preventDefault();
  };
}
