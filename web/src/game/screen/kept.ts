/** What the browser keeps of a character: the terminal, the typed lines, the acts that wait, the explored map. */
import { PERSONAL } from '../../api/personal.js';

/** The part of the browser's storage that this module uses. */
export interface KeptStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface Kept {
  /** @returns null if there is none, or it cannot be read */
  read<Value>(name: string): Value | null;
  /** A full storage keeps nothing: the page works without. */
  write(name: string, value: unknown): void;
  remove(name: string): void;
  /** Names that start with a text. */
  names(start: string): readonly string[];
  /** Forgets everything of the character. */
  clear(): void;
}

export function keptIn(storage: KeptStorage, characterId: string): Kept {
  const prefix = `${PERSONAL}game/${characterId}/`;
  const names = (start: string) =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
      .filter((key) => key.startsWith(prefix + start))
      .map((key) => key.slice(prefix.length));
  const remove = (name: string) => storage.removeItem(prefix + name);
  return {
    read: <Value>(name: string) => {
      try {
        return JSON.parse(storage.getItem(prefix + name) ?? 'null') as Value | null;
      } catch {
        return null;
      }
    },
    write: (name, value) => {
      try {
        storage.setItem(prefix + name, JSON.stringify(value));
      } catch {
        // full, or switched off
      }
    },
    remove,
    names,
    clear: () => names('').forEach(remove),
  };
}
