/** Names and titles normalized for search: typing `bjork` finds `Björk`. In lower case, without accents, compatibility characters as NFKD. */
export const searchKey = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase() // NFKD may produce capitals: ™ becomes TM
    .replace(/\s+/g, ' ')
    .trim();
