/** The shop for customers: its frame, and the page of the URL. */
import { type ReactNode, useEffect, useRef } from 'react';
import { closeSocket, connectionStore, liveSocket } from '../../api/socket.js';
import { useViewer } from '../../api/use-viewer.js';
import { formatClock } from '../../kit/base/format.js';
import { useLocation } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { BrowsePage } from './browsing/browse-page.js';
import { CategoryPage } from './browsing/category-page.js';
import { HomePage } from './browsing/home-page.js';
import { ProductPage } from './browsing/product-page.js';
import { SearchPage } from './browsing/search-page.js';
import { CartPage } from './buying/cart-page.js';
import { CheckoutPage } from './buying/checkout-page.js';
import { OrdersPage } from './buying/orders-page.js';
import { SignInPage } from './buying/sign-in-page.js';
import { Header } from './header.js';
import { homeAddress, matchPath } from './parts/addresses.js';
import { followCart } from './parts/cart.js';
import { hush, ToastPlace } from './parts/toast.js';
import styles from './storefront.module.css';

/** The pages by path. A page whose path ends with a parameter gets its value. */
const routes: readonly (readonly [path: string, render: (name: string) => ReactNode])[] = [
  ['/shop', () => <HomePage />],
  ['/shop/all', () => <BrowsePage />],
  ['/shop/search', () => <SearchPage />],
  ['/shop/c/:slug', (slug) => <CategoryPage slug={slug} />],
  ['/shop/p/:sku', (sku) => <ProductPage sku={sku} />],
  ['/shop/cart', () => <CartPage />],
  ['/shop/checkout', () => <CheckoutPage />],
  ['/shop/orders', () => <OrdersPage id={null} />],
  ['/shop/orders/:id', (id) => <OrdersPage id={id} />],
  ['/shop/sign-in', () => <SignInPage />],
];

export function Storefront() {
  const { path } = useLocation();
  useViewer(); // visitors can browse meanwhile

  useEffect(() => {
    liveSocket();
    const stop = followCart();
    return () => {
      stop();
      closeSocket();
    };
  }, []);
  const main = useTop(path);

  return (
    <>
      <Header />
      <AwayNotice />
      <main id="main" ref={main} className={styles.main} tabIndex={-1}>
        <Page path={path} />
      </main>
      <footer className={styles.footer}>
        <p>Everything here comes from one GraphQL API, and all stock levels are live.</p>
        <a href="/">For shop staff</a>
      </footer>
      <ToastPlace />
    </>
  );
}

/** Scrolls a new page to its top and moves the focus there. */
function useTop(path: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    hush();
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

function Page({ path }: { path: string }) {
  for (const [pattern, render] of routes) {
    const name = matchPath(pattern, path);
    if (name !== null) return render(name);
  }
  return <NotFound />;
}

function NotFound() {
  useTitle('Not found');
  return (
    <>
      <h1 className="hidden">Not found</h1>
      <Empty icon="search" title="Page not found" action={<Link href={homeAddress}>Go to the home page</Link>}>
        The address may be wrong, or the page was removed.
      </Empty>
    </>
  );
}

/** Warns that data may be outdated while the server is unreachable. */
function AwayNotice() {
  const { phase, since } = useStore(connectionStore);
  return (
    <div className={styles.away} role="status">
      {phase === 'offline' && (
        <Notice tone="warn">
          The shop cannot be reached. You see the data as of {formatClock(since)} UTC. The page reconnects
          automatically, and your cart is safe.
        </Notice>
      )}
    </div>
  );
}
