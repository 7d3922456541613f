/**
 * The forms in which nodes and their versions are stored. Documents of older forms stay where they are until a migration replaces them
 * (`node-migration.ts`); a version never changes, so it keeps the form in which it was written. Each read passes through `presentFormOf`:
 * a document of an older form reads as if it was migrated. The types of the collections make sure of it: what they return is `Stored`.
 *
 * | Form | Since |
 * | --- | --- |
 * | 1 | The first one, which documents do not name. |
 * | 2 | `summary` and `words` are stored. Lists, feeds and heads show them without reading the text again. |
 *
 * A change of how a field is derived is a new form, too, because old and new documents would otherwise read differently.
 */
import { type Outline, outlineOf } from '../../../shared/rendering/plain-text.js';

/** The present form. New documents have it. */
export const FORM = 2;

/** The older forms, as they are stored. */
export const OLD_FORMS: readonly (number | null)[] = [null];

/** What lists show of a text. */
export interface Synopsis {
  form: number;
  /** The excerpt, or else the beginning of the text: one line without marks. */
  summary: string;
  /** The number of words of the text. */
  words: number;
}

interface Described {
  readonly excerpt: string;
  readonly detail: { readonly text?: string; readonly description?: string };
}

/** A document as it may be stored: of the present form, or of an older one. */
export type Stored<D extends Synopsis> = Omit<D, keyof Synopsis> & Partial<Synopsis>;

/** @param outline of its text */
export const synopsisOf = (
  { excerpt, detail }: Described,
  { excerpt: beginning, words }: Outline = outlineOf(detail.text ?? detail.description ?? ''),
): Synopsis => ({ form: FORM, summary: excerpt || beginning, words });

export const isPresentForm = (stored: Partial<Synopsis>): stored is Synopsis =>
  stored.form !== undefined && stored.form >= FORM; // a newer release may have written it

/** A document as it reads. Pure, and free for one of the present form. */
export const presentFormOf = <D extends Synopsis & Described>(stored: Stored<D>): D =>
  (isPresentForm(stored) ? stored : { ...stored, ...synopsisOf(stored as unknown as Described) }) as D;

/** The same for what may not be there. */
export const presentFormIfAny = <D extends Synopsis & Described>(stored: Stored<D> | null): D | null =>
  stored && presentFormOf<D>(stored);
