/** What a client accepts. */

export type Encoding = 'br' | 'gzip';

/** @param accepted `Accept-Encoding`, for example `gzip, deflate, br;q=0.9` */
export function encodingFor(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const taken = new Set<string>();
  for (const each of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : null;
}
