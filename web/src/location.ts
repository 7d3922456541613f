/** The address bar as the state of the page: what is looked at can be sent to somebody as a link. */
import { createStore, useStore } from './parts/store.js';

const here = () => `${window.location.pathname}${window.location.search}`;
const address = createStore(here());
window.addEventListener('popstate', () => address.set(here()));

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function useLocation(): Location {
  const { pathname, searchParams } = new URL(useStore(address), window.location.origin);
  return { path: pathname, query: searchParams };
}

/** @param replace leave no step behind for "back" */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === here()) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', to);
  address.set(here());
}
