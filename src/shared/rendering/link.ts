/** Where the links of a text lead. */

export const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const ALLOWED_SCHEME = /^(?:https?|mailto|asset):/i;
export const ASSET = 'asset:';
/** A host that no address has. */
const ANY_ORIGIN = 'https://page.invalid';

/** Whether an address may be one of a link. Otherwise, the link is shown as it was written. */
export const isLinkable = (address: string): boolean =>
  !SCHEME.test(address.trim()) || ALLOWED_SCHEME.test(address.trim());

/** What addresses without a scheme and a host refer to. */
export interface LinkContext {
  /** The path of the page of the text. Undefined leaves relative addresses as they are. */
  readonly page?: string | undefined;
  /** @param name as an author writes it @returns the id of the heading */
  sectionNamed(name: string): string | null;
}

/** @param address encoded, as the parser has it @returns null if there is nothing to lead to */
export function targetOf(address: string, { page, sectionNamed }: LinkContext): string | null {
  if (address.startsWith(ASSET)) return null;
  if (address.startsWith('//')) return `https:${address}`; // another host, whatever the page was loaded with
  if (address.startsWith('#')) {
    const id = address === '#' ? null : sectionNamed(decoded(address.slice(1)));
    return id === null ? address : `#${id}`;
  }
  const isRelative = address !== '' && !address.startsWith('/') && !SCHEME.test(address);
  if (!isRelative || page === undefined) return address;
  const { pathname, search, hash } = new URL(address, ANY_ORIGIN + page);
  return pathname.replace(/^\/+/, '/') + search + hash; // two slashes would name a host
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
