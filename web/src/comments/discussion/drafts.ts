/** What was written and not posted. It is kept as long as the tab, over reloads. */

export interface Draft {
  readonly text: string;
  /** Of a visitor. */
  readonly name: string;
}

const EMPTY: Draft = { text: '', name: '' };
const NAME_KEY = 'sextant.commenter';

const keyOf = (place: string): string => `sextant.draft.${place}`;

/** @param place what it is about, or the comment that it replies to */
export function readDraft(place: string): Draft {
  const kept = sessionStorage.getItem(keyOf(place));
  const name = sessionStorage.getItem(NAME_KEY) ?? '';
  return kept === null ? { ...EMPTY, name } : { text: kept, name };
}

export function keepDraft(place: string, { text, name }: Draft): void {
  try {
    sessionStorage.setItem(NAME_KEY, name);
    if (text === '') sessionStorage.removeItem(keyOf(place));
    else sessionStorage.setItem(keyOf(place), text);
  } catch {
    // There is no room: the text stays in the form.
  }
}

export const dropDraft = (place: string): void => sessionStorage.removeItem(keyOf(place));
