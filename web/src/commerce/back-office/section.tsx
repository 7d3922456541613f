/** The shop for its staff: catalog, customers, money, and whether all invariants hold. */
import { lazyPage } from '../../shell/lazy-page.js';
import { Section, type SectionPage } from '../../shell/section.js';

const catalog: SectionPage = {
  path: '/commerce',
  name: 'Catalog',
  Content: lazyPage(() => import('./catalog/catalog-page.js').then((module) => module.CatalogPage)),
};
const categories: SectionPage = {
  path: '/commerce/categories',
  name: 'Categories',
  Content: lazyPage(() => import('./categories/categories-page.js').then((module) => module.CategoriesPage)),
};
const carts: SectionPage = {
  path: '/commerce/carts',
  name: 'Carts',
  Content: lazyPage(() => import('./sales/carts-page.js').then((module) => module.CartsPage)),
  role: 'ADMIN',
};
const till: SectionPage = {
  path: '/commerce/till',
  name: 'Till',
  Content: lazyPage(() => import('./sales/till-page.js').then((module) => module.TillPage)),
};
const orders: SectionPage = {
  path: '/commerce/orders',
  name: 'Orders',
  Content: lazyPage(() => import('./sales/orders-page.js').then((module) => module.OrdersPage)),
};
const accounts: SectionPage = {
  path: '/commerce/accounts',
  name: 'Accounts',
  Content: lazyPage(() => import('./money/accounts-page.js').then((module) => module.AccountsPage)),
};
const recovery: SectionPage = {
  path: '/commerce/recovery',
  name: 'Recovery',
  Content: lazyPage(() => import('./sales/recovery-page.js').then((module) => module.RecoveryPage)),
  role: 'ADMIN',
};

/** Editors manage catalog and stock. Of orders and accounts they see only their own; administrators see all. */
const pages = [catalog, categories, carts, till, orders, accounts, recovery] as const;

export const ShopSection = () => <Section label="Shop" pages={pages} wide />;
