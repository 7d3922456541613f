/** What counts as one address for rate limits. */

const TEXT_LENGTH_MAX = 64; // a proxy's header may contain anything

/** An IPv6 customer has at least a /64: all of its addresses count as one. */
export function addressBlock(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(':')) return address.slice(0, TEXT_LENGTH_MAX);
  const [head = '', tail] = address.slice(0, TEXT_LENGTH_MAX).split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return `${[...groups, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
