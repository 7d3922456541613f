/** What this browser keeps. */
import { PERSONAL } from '../../api/personal.js';
import { type Kept, keptIn } from './kept.js';

export const keptOf = (characterId: string): Kept => keptIn(localStorage, characterId);

const LAST = `${PERSONAL}game/last`;

/** The character that was played last in this browser. */
export const lastPlayed = (): string | null => localStorage.getItem(LAST);
export const notePlayed = (characterId: string): void => localStorage.setItem(LAST, characterId);
