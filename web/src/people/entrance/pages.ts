/** The pages for people who are not signed in: their paths, and how they are loaded. */
import { type LazyPage, lazyPage } from '../../shell/lazy-page.js';

interface EntrancePage {
  readonly path: string;
  readonly Content: LazyPage;
  /** Only for visitors. The others are targets of links in emails, which signed-in users may open as well. */
  readonly visitorsOnly?: true;
}

const pages: readonly EntrancePage[] = [
  {
    path: '/invitation',
    Content: lazyPage(() => import('./newcomer-pages.js').then((module) => module.InvitationPage)),
  },
  {
    path: '/confirm',
    Content: lazyPage(() => import('./newcomer-pages.js').then((module) => module.ConfirmPage)),
  },
  {
    path: '/reset',
    Content: lazyPage(() => import('./password-reset-pages.js').then((module) => module.NewPasswordPage)),
  },
  {
    path: '/sign-up',
    Content: lazyPage(() => import('./newcomer-pages.js').then((module) => module.SignUpPage)),
    visitorsOnly: true,
  },
  {
    path: '/forgot',
    Content: lazyPage(() => import('./password-reset-pages.js').then((module) => module.ForgottenPasswordPage)),
    visitorsOnly: true,
  },
  {
    path: '/goodbye',
    Content: lazyPage(() => import('./newcomer-pages.js').then((module) => module.GoodbyePage)),
    visitorsOnly: true,
  },
];

export const entrancePageAt = (path: string, isVisitor: boolean): EntrancePage | undefined =>
  pages.find((page) => page.path === path && (isVisitor || !page.visitorsOnly));
