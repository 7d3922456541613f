/** The shop from behind the counter: what is sold, who buys, where the money is, and whether all sums are right. */
import { useRole } from '../access.js';
import { Section, type SectionPage } from '../parts/section.js';
import { AccountsPage } from './accounts-page.js';
import { CartsPage } from './carts-page.js';
import { CatalogPage } from './catalog-page.js';
import { CategoriesPage } from './categories-page.js';
import { OrdersPage } from './orders-page.js';
import { RecoveryPage } from './recovery-page.js';
import { TillPage } from './till-page.js';

const catalog: SectionPage = { path: '/commerce', name: 'Catalog', Content: CatalogPage };
const categories: SectionPage = { path: '/commerce/categories', name: 'Categories', Content: CategoriesPage };
const carts: SectionPage = { path: '/commerce/carts', name: 'Carts', Content: CartsPage };
const till: SectionPage = { path: '/commerce/till', name: 'Till', Content: TillPage };
const orders: SectionPage = { path: '/commerce/orders', name: 'Orders', Content: OrdersPage };
const accounts: SectionPage = { path: '/commerce/accounts', name: 'Accounts', Content: AccountsPage };
const recovery: SectionPage = { path: '/commerce/recovery', name: 'Recovery', Content: RecoveryPage };

/** Carts of others and the books are for administrators. */
const forEditors = [catalog, categories, till, orders, accounts] as const;
const forAdministrators = [catalog, categories, carts, till, orders, accounts, recovery] as const;

export function ShopSection() {
  const administers = useRole('ADMIN');
  return <Section label="Shop" pages={administers ? forAdministrators : forEditors} wide />;
}
