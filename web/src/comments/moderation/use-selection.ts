/** Which of the open cases are selected. */
import { useCallback, useMemo, useRef, useState } from 'react';

interface Selection {
  /** In the order of the list. */
  readonly selected: readonly string[];
  /** The same function at each call. @param isRange with all between the last one and this one */
  readonly select: (id: string, isSelected: boolean, isRange: boolean) => void;
  readonly selectAll: (isSelected: boolean) => void;
  readonly clear: (ids: readonly string[]) => void;
}

const nothing: ReadonlySet<string> = new Set();

/** @param open the ids that can be selected, in the order of the list */
export function useSelection(open: readonly string[]): Selection {
  const [marked, mark] = useState(nothing);
  const listed = useRef(open);
  listed.current = open;
  const last = useRef<string | null>(null);
  const select = useCallback((id: string, isSelected: boolean, isRange: boolean) => {
    const here = listed.current.indexOf(id);
    const there = isRange && last.current !== null ? listed.current.indexOf(last.current) : -1;
    const [from, to] = there === -1 ? [here, here] : [Math.min(here, there), Math.max(here, there)];
    const some = listed.current.slice(from, to + 1);
    last.current = id;
    mark((before) =>
      isSelected ? new Set([...before, ...some]) : new Set([...before].filter((each) => !some.includes(each))),
    );
  }, []);
  const clear = useCallback(
    (ids: readonly string[]) => mark((before) => new Set([...before].filter((each) => !ids.includes(each)))),
    [],
  );
  const selected = useMemo(() => open.filter((id) => marked.has(id)), [open, marked]);
  return { selected, select, selectAll: (isSelected) => mark(isSelected ? new Set(open) : nothing), clear };
}
