/** Which role can open which page. The server enforces access; this only hides what the user cannot open. */
import type { Role } from '../../generated/graphql.js';
import { type Viewer, viewerStore } from '../api/session.js';
import { useStore } from '../kit/base/store.js';
import type { IconName } from '../kit/display/icon.js';

export interface PageEntry {
  readonly path: string;
  /** The path prefix of its further pages. */
  readonly below: string;
  readonly name: string;
  readonly icon: IconName;
  /** The role required to open it. */
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

/** Whether the viewer has the role. */
export function useRole(role: Role): boolean {
  const viewer = useStore(viewerStore);
  return viewer ? hasRole(viewer, role) : false;
}

/** The page that an address belongs to: `/people/keys` to `/people`. */
export function pageAt(path: string): PageEntry | undefined {
  return pages.find((page) => path === page.path || path.startsWith(page.below));
}

/** The server marks its page when GraphiQL is turned off. */
export const hasGraphiQL = document.documentElement.dataset.graphiql !== 'off';
