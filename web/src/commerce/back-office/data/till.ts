/** The cart at the till. Each tab has its own. */
import { createStore } from '../../../kit/base/store.js';
import { addLine, startCart } from './carts.js';

const STORED_UNDER = 'sextant.till.cart';

/** The cart's id; null if there is no cart. */
export const tillCart = createStore<string | null>(sessionStorage.getItem(STORED_UNDER));
tillCart.subscribe(() => {
  const id = tillCart.get();
  if (id === null) sessionStorage.removeItem(STORED_UNDER);
  else sessionStorage.setItem(STORED_UNDER, id);
});

/** Adds one unit of a product to the cart at the till, or to a new one. @returns why it was refused, or null */
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
