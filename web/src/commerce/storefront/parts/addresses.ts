/** The URLs of the shop's pages. */
const withQuery = (path: string, query: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams(query)}`;

export const homeAddress = '/shop';
export const cartAddress = `${homeAddress}/cart`;
export const checkoutAddress = `${homeAddress}/checkout`;
export const ordersAddress = `${homeAddress}/orders`;
export const signInAddress = `${homeAddress}/sign-in`;
export const allAddress = `${homeAddress}/all`;
export const productAddress = (sku: string) => `${homeAddress}/p/${encodeURIComponent(sku)}`;
export const categoryAddress = (slug: string) => `${homeAddress}/c/${encodeURIComponent(slug)}`;
export const searchAddress = (text: string) => withQuery(`${homeAddress}/search`, { q: text });
/** Filtered product lists (`browsing/listing.ts`). */
export const listAddress = (query: Readonly<Record<string, string>>) => withQuery(allAddress, query);
/** @param placed whether the order was just placed */
export const orderAddress = (id: string, placed = false) =>
  `${ordersAddress}/${encodeURIComponent(id)}${placed ? '?placed' : ''}`;

/**
 * Matches a path with a route. A slash at the end of the path makes no difference.
 * @param route may end with a parameter: `/shop/p/:sku`
 * @returns the value of the parameter, empty for a route without one; null if the path does not match
 */
export function matchPath(route: string, path: string): string | null {
  const [start = '', parameter] = route.split(':');
  const found = path.replace(/\/$/, '');
  if (parameter === undefined) return found === route ? '' : null;
  const value = found.startsWith(start) ? found.slice(start.length) : '';
  if (value === '' || value.includes('/')) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null; // an invalid escape sequence
  }
}
