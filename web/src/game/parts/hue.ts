import type { CSSProperties } from 'react';

/** A color for a name, always the same one. The style sheet picks the lightness for the theme. */
export function hueOf(name: string): CSSProperties {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return { '--hue': `${(hash * 137) % 360}` } as CSSProperties;
}
