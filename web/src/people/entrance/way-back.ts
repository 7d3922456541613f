/** Where somebody was who went to sign up, or to join the network, so that they come back there. */
const HOME = '/';
const BACK_TO = 'to';

/** @param path of the page to come back to */
export const signUpAddress = (path: string): string => withWayBack('/sign-up', path);
export const joinAddress = (path: string): string => withWayBack('/social', path);

const withWayBack = (address: string, path: string): string =>
  path === HOME ? address : `${address}?${new URLSearchParams({ [BACK_TO]: path })}`;

/** The path of the page to come back to. Anybody can write such an address, so it must be a page of this server. */
export function wayBack(query: URLSearchParams): string {
  const to = query.get(BACK_TO) ?? HOME;
  return /^\/\w/.test(to) ? to : HOME;
}
