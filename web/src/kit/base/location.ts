/** The URL as the state of the page: every view can be shared as a link. */
import { createStore, useStore } from './store.js';

const here = () => `${window.location.pathname}${window.location.search}${window.location.hash}`;
const address = createStore(here());
window.addEventListener('popstate', () => {
  if (mayLeave()) address.set(here());
  else window.history.pushState(null, '', address.get()); // the browser has left already: come back
});

let guard: (() => boolean) | null = null;
const mayLeave = () => guard === null || guard();

/**
 * Asks before the page is left, for example because it has unsaved text.
 * @param ask returns whether to leave
 * @returns stops asking
 */
export function guardLeaving(ask: () => boolean): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The part after `#`. */
  readonly fragment: string;
}

export function useLocation(): Location {
  const { pathname, searchParams, hash } = new URL(useStore(address), window.location.origin);
  return { path: pathname, query: searchParams, fragment: hash.slice(1) };
}

/** @param replace do not add a history entry */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === here() || !mayLeave()) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', to);
  address.set(here());
}
