/** The address bar as the state of the page: what is looked at can be sent to somebody as a link. */
import { createStore, useStore } from './parts/store.js';

const here = () => `${window.location.pathname}${window.location.search}${window.location.hash}`;
const address = createStore(here());
window.addEventListener('popstate', () => address.set(here()));

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stands behind `#`. */
  readonly fragment: string;
}

export function useLocation(): Location {
  const { pathname, searchParams, hash } = new URL(useStore(address), window.location.origin);
  return { path: pathname, query: searchParams, fragment: hash.slice(1) };
}

/** @param replace leave no step behind for "back" */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === here()) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', to);
  address.set(here());
}
