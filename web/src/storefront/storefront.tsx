/** The shop that customers see: its frame, and the page that the address names. */
import { useEffect, useRef } from 'react';
import { closeSocket, connectionStore, liveSocket } from '../live/socket.js';
import { useLocation } from '../location.js';
import { formatClock } from '../parts/format.js';
import { Link } from '../parts/link.js';
import { Empty, Notice } from '../parts/notice.js';
import { useStore } from '../parts/store.js';
import { useTitle } from '../parts/title.js';
import { findViewer } from '../session.js';
import { homeAddress, placeAt } from './addresses.js';
import { BrowsePage } from './browse-page.js';
import { followCart } from './cart.js';
import { CartPage } from './cart-page.js';
import { CategoryPage } from './category-page.js';
import { CheckoutPage } from './checkout-page.js';
import { Header } from './header.js';
import { HomePage } from './home-page.js';
import { OrdersPage } from './orders-page.js';
import { ProductPage } from './product-page.js';
import { SearchPage } from './search-page.js';
import { SignInPage } from './sign-in-page.js';
import styles from './storefront.module.css';
import { hush, ToastPlace } from './toast.js';

const RETRY_MS = 3_000;

export function Storefront() {
  const { path } = useLocation();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const find = () =>
      findViewer().catch(() => {
        timer = setTimeout(find, RETRY_MS); // visitors look around meanwhile
      });
    void find();
    return () => clearTimeout(timer);
  }, []);
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
        <p>Everything here comes from one GraphQL API, and every number on a shelf is followed live.</p>
        <a href="/">For those who run the shop</a>
      </footer>
      <ToastPlace />
    </>
  );
}

/** Another page begins at its top, and the keyboard with it. */
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
  const place = placeAt(path);
  const { page = null, name = null } = place ?? {};
  if (name === null) {
    switch (page) {
      case '':
        return <HomePage />;
      case 'all':
        return <BrowsePage />;
      case 'search':
        return <SearchPage />;
      case 'cart':
        return <CartPage />;
      case 'checkout':
        return <CheckoutPage />;
      case 'orders':
        return <OrdersPage id={null} />;
      case 'sign-in':
        return <SignInPage />;
    }
  } else {
    switch (page) {
      case 'c':
        return <CategoryPage slug={name} />;
      case 'p':
        return <ProductPage sku={name} />;
      case 'orders':
        return <OrdersPage id={name} />;
    }
  }
  return <NotFound />;
}

function NotFound() {
  useTitle('Not found');
  return (
    <>
      <h1 className="hidden">Not found</h1>
      <Empty icon="search" title="There is no such page" action={<Link href={homeAddress}>Go to the first page</Link>}>
        The shop is open all the same.
      </Empty>
    </>
  );
}

/** What is shown may be old while the server is away. */
function AwayNotice() {
  const { phase, since } = useStore(connectionStore);
  return (
    <div className={styles.away} role="status">
      {phase === 'offline' && (
        <Notice tone="warn">
          The shop cannot be reached. What you see is as it was at {formatClock(since)} UTC; it goes on by itself, and
          your cart is safe.
        </Notice>
      )}
    </div>
  );
}
