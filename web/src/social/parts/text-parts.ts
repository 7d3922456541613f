/** The links in a text that somebody wrote. */

const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
/** Belongs to the sentence, not to the address. */
const SENTENCE_END = /[.,;:!?)\]}…]+$/u;

export type TextPart = { readonly text: string; readonly href?: string };

export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(SENTENCE_END, '');
    const href = safeAddress(address);
    if (href === null) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: address, href });
    from = index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** @returns null unless it is a complete `http:` or `https:` address */
export function safeAddress(text: string): string | null {
  try {
    const { protocol, hostname, href } = new URL(text);
    return /^https?:$/.test(protocol) && hostname !== '' ? href : null;
  } catch {
    return null;
  }
}
