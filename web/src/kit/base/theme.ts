/** Light or dark: follows the system until the user chooses. */
import { createStore } from './store.js';

export type Theme = 'light' | 'dark';

const KEY = 'sextant.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light';
}

export const themeStore = createStore<Theme>(current());
system.addEventListener('change', () => themeStore.set(current()));

/** Switches to the other theme. If that equals the system's theme, the page follows the system again. */
export function toggleTheme(): void {
  const next: Theme = themeStore.get() === 'dark' ? 'light' : 'dark';
  if ((next === 'dark') === system.matches) {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset.theme = next;
  }
  themeStore.set(next);
}
