/** Who may open what. The server decides; here is what is not even offered. */
import type { Role } from '../generated/graphql.js';
import type { IconName } from './parts/icon.js';
import { useStore } from './parts/store.js';
import { type Viewer, viewerStore } from './session.js';

export interface PageEntry {
  readonly path: string;
  /** What the addresses of its further pages begin with. */
  readonly below: string;
  readonly name: string;
  readonly icon: IconName;
  /** What it takes to open it. */
  readonly role: Role;
}

const pages: readonly PageEntry[] = [
  { path: '/', below: '/traffic/', name: 'Traffic', icon: 'chart', role: 'EDITOR' },
  { path: '/commerce', below: '/commerce/', name: 'Shop', icon: 'cart', role: 'EDITOR' },
  { path: '/people', below: '/people/', name: 'People', icon: 'people', role: 'ADMIN' },
  { path: '/system', below: '/system/', name: 'System', icon: 'system', role: 'ADMIN' },
];

/** An administrator has every role. */
export function hasRole({ roles }: Pick<Viewer, 'roles'>, role: Role): boolean {
  return roles.includes('ADMIN') || roles.includes(role);
}

export const pagesOf = (viewer: Viewer) => pages.filter(({ role }) => hasRole(viewer, role));

/** Whether whoever is signed in has the role. */
export function useRole(role: Role): boolean {
  const viewer = useStore(viewerStore);
  return viewer ? hasRole(viewer, role) : false;
}

/** The page that an address belongs to: `/people/keys` to `/people`. */
export function pageAt(path: string): PageEntry | undefined {
  return pages.find((page) => path === page.path || path.startsWith(page.below));
}

/** The server says so in its page when it has none. */
export const hasGraphiQL = document.documentElement.dataset.graphiql !== 'off';
