/** Commerce for staff: the catalog, sales, money accounts, and whether all invariants hold. */
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';

/** Editors manage catalog and stock. Of orders and accounts they see only their own; administrators see all. */
export const commerceSection: Section = {
  domain: 'commerce',
  name: 'Commerce',
  icon: 'cart',
  role: 'EDITOR',
  wide: true,
  welcome: (
    <>
      To buy something, go to <a href="/shop">the shop</a>.
    </>
  ),
  pages: [
    {
      path: '/commerce',
      name: 'Catalog',
      Content: lazyPage(() => import('./back-office/catalog/catalog-page.js').then((module) => module.CatalogPage)),
    },
    {
      path: '/commerce/categories',
      name: 'Categories',
      Content: lazyPage(() =>
        import('./back-office/categories/categories-page.js').then((module) => module.CategoriesPage),
      ),
    },
    {
      path: '/commerce/carts',
      name: 'Carts',
      Content: lazyPage(() => import('./back-office/sales/carts-page.js').then((module) => module.CartsPage)),
      role: 'ADMIN',
    },
    {
      path: '/commerce/till',
      name: 'Till',
      Content: lazyPage(() => import('./back-office/sales/till-page.js').then((module) => module.TillPage)),
    },
    {
      path: '/commerce/orders',
      name: 'Orders',
      Content: lazyPage(() => import('./back-office/sales/orders-page.js').then((module) => module.OrdersPage)),
    },
    {
      path: '/commerce/accounts',
      name: 'Accounts',
      Content: lazyPage(() => import('./back-office/money/accounts-page.js').then((module) => module.AccountsPage)),
    },
    {
      path: '/commerce/recovery',
      name: 'Recovery',
      Content: lazyPage(() => import('./back-office/sales/recovery-page.js').then((module) => module.RecoveryPage)),
      role: 'ADMIN',
    },
  ],
};
