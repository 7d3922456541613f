/** The URLs of the shop's pages. */
const SHOP = '/shop';

const withQuery = (path: string, query: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams(query)}`;

export const homeAddress = SHOP;
export const cartAddress = `${SHOP}/cart`;
export const checkoutAddress = `${SHOP}/checkout`;
export const ordersAddress = `${SHOP}/orders`;
export const signInAddress = `${SHOP}/sign-in`;
export const allAddress = `${SHOP}/all`;
export const productAddress = (sku: string) => `${SHOP}/p/${encodeURIComponent(sku)}`;
export const categoryAddress = (slug: string) => `${SHOP}/c/${encodeURIComponent(slug)}`;
export const searchAddress = (text: string) => withQuery(`${SHOP}/search`, { q: text });
/** Filtered product lists (`listing.ts`). */
export const listAddress = (query: Readonly<Record<string, string>>) => withQuery(allAddress, query);
/** @param placed whether the order was just placed */
export const orderAddress = (id: string, placed = false) =>
  `${ordersAddress}/${encodeURIComponent(id)}${placed ? '?placed' : ''}`;

export interface Place {
  /** The first path segment below `/shop`; empty for the home page. */
  readonly page: string;
  /** The segment after it: a SKU, a slug, or an order id. */
  readonly name: string | null;
}

/** @returns null if the path matches no page */
export function placeAt(path: string): Place | null {
  const [, page = '', name = null, ...rest] = path.slice(SHOP.length).replace(/\/$/, '').split('/');
  if (rest.length > 0) return null;
  try {
    return { page, name: name && decodeURIComponent(name) };
  } catch {
    return null; // an invalid escape sequence
  }
}
