/** Names normalized for search: typing `bjork` finds `Björk`. */

/** In lower case, without accents, with compatibility characters normalized (NFKD). */
export const nameKey = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase() // NFKD may produce capitals: ™ becomes TM
    .replace(/\s+/g, ' ')
    .trim();
