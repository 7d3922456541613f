/** The cart that stands at the till. It stays with the tab. */
import { createStore } from '../parts/store.js';
import { addLine, startCart } from './carts.js';

const STORED_UNDER = 'sextant.till.cart';

/** Its id; null when there is none. */
export const tillCart = createStore<string | null>(sessionStorage.getItem(STORED_UNDER));
tillCart.subscribe(() => {
  const id = tillCart.get();
  if (id === null) sessionStorage.removeItem(STORED_UNDER);
  else sessionStorage.setItem(STORED_UNDER, id);
});

/** Puts units of a product into the cart at the till, or into a new one. @returns why not, or null */
export async function ringUp(sku: string): Promise<string | null> {
  let cartId = tillCart.get();
  if (cartId === null) {
    const started = await startCart();
    if (started.id === null) return started.failure;
    cartId = started.id;
    tillCart.set(cartId);
  }
  return addLine(cartId, sku, 1);
}
