/** What a page keeps in the browser's storage for one person, and nobody else may find there, has keys that start with this. */
export const PERSONAL = 'sextant.personal/';
