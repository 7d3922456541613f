/** The bar at the top of every page of the shop. */

import { viewerStore } from '../../api/session.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Icon } from '../../kit/display/icon.js';
import { Logo } from '../../kit/display/logo.js';
import { LiveMark } from '../../shell/live-mark.js';
import { ThemeButton } from '../../shell/theme-button.js';
import { SearchField } from './browsing/search-field.js';
import styles from './header.module.css';
import { allAddress, cartAddress, homeAddress, ordersAddress, signInAddress } from './parts/addresses.js';
import { cartStore, unitsIn } from './parts/cart.js';

export function Header() {
  const viewer = useStore(viewerStore);
  const { cart } = useStore(cartStore);
  const units = unitsIn(cart);
  return (
    <header className={styles.header}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Link href={homeAddress} className={styles.brand} aria-label="Sextant shop, home page">
        <Logo size={28} />
        <span>Sextant</span>
      </Link>
      <nav aria-label="Shop" className={styles.pages}>
        <Link href={allAddress}>All products</Link>
      </nav>
      <div className={styles.search}>
        <SearchField />
      </div>
      <div className={styles.mark}>
        <LiveMark />
      </div>
      <div className={styles.own}>
        <ThemeButton />
        <Link
          href={viewer ? ordersAddress : signInAddress}
          className="button quiet icon"
          aria-label={viewer ? `Your orders, ${viewer.name}` : 'Sign in'}
          title={viewer ? 'Your orders' : 'Sign in'}
        >
          <Icon name="user" size={20} />
        </Link>
        <Link
          href={cartAddress}
          className={`button ${styles.cart}`}
          aria-label={units === 1 ? 'Cart, 1 unit' : `Cart, ${units} units`}
        >
          <Icon name="cart" size={20} />
          <span className={styles.units} data-empty={units === 0 || undefined} key={units}>
            {units}
          </span>
        </Link>
      </div>
    </header>
  );
}
