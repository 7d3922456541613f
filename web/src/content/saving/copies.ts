/**
 * Copies of unsaved changes in the browser's storage: they survive a crash of the browser, a closed lid and a lost
 * connection. A copy belongs to one window, so that two windows on one node do not overwrite each other's; it is
 * removed when the server has the changes.
 */
import {
  type Autosave,
  beginWith,
  changesOf,
  type Fields,
  hear,
  isUnsaved,
  type SaveRequest,
  type Stored,
} from './autosave.js';

export interface Copy {
  readonly nonce: string;
  readonly version: number;
  /** Of the changed fields: what they were based on, and what they are. */
  readonly base: Fields;
  readonly fields: Fields;
  readonly request: SaveRequest | null;
  /** When it was last written. */
  readonly at: number;
  /** Its window was closed, or shows another page: any window may take it over at once. */
  readonly isReleased?: true;
}

/** The part of the browser's storage that this module uses. */
export interface CopyStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const PREFIX = 'sextant.unsaved';
/** Nobody misses a text for longer than this. */
const KEPT_MS = 90 * 86_400_000;
/** A window writes at least this often what it has not saved; an older copy is of a window that is gone. */
export const ALIVE_MS = 20_000;

export interface CopyPlace {
  readonly viewerId: string;
  readonly nodeId: string;
  readonly windowId: string;
}

const prefixOf = ({ viewerId, nodeId }: Omit<CopyPlace, 'windowId'>) => `${PREFIX}/${viewerId}/${nodeId}/`;
const keyOf = (place: CopyPlace) => `${prefixOf(place)}${place.windowId}`;

/**
 * Keeps the unsaved changes, or removes the copy if there are none.
 * @param isReleased whether the window gives the copy up
 * @returns whether the storage took it; it does not if it is full or switched off
 */
export function keepCopy(
  storage: CopyStorage,
  place: CopyPlace,
  state: Autosave,
  now: number,
  isReleased = false,
): boolean {
  try {
    const copy = { ...copyOf(state, now), ...(isReleased && { isReleased }) };
    if (!isUnsaved(state)) storage.removeItem(keyOf(place));
    else storage.setItem(keyOf(place), JSON.stringify(copy));
    return true;
  } catch {
    return false;
  }
}

function copyOf({ stored, fields, request }: Autosave, now: number): Copy {
  const changed = { ...request?.changes, ...changesOf({ stored, fields }) };
  const pick = (from: Fields) =>
    Object.fromEntries(Object.keys(changed).map((name) => [name, from[name as keyof Fields] ?? null]));
  return {
    nonce: stored.nonce,
    version: stored.version,
    base: pick(stored.fields),
    fields: pick(fields),
    request,
    at: now,
  };
}

/**
 * Takes over the newest copy that a window left behind: this one before it was reloaded, or one that is gone.
 * @returns null if there is none
 */
export function takeCopy(storage: CopyStorage, place: CopyPlace, now: number): Copy | null {
  const found = keysWith(storage, prefixOf(place))
    .map((key) => ({ key, copy: read(storage, key) }))
    .filter(({ key, copy }) => copy && (key === keyOf(place) || copy.isReleased || copy.at < now - ALIVE_MS))
    .toSorted((a, b) => (b.copy?.at ?? 0) - (a.copy?.at ?? 0));
  const [newest] = found;
  if (!newest?.copy) return null;
  // Written under this window's name before the other is removed: a crash in between leaves two, not none.
  try {
    const { isReleased: _, ...taken } = newest.copy;
    storage.setItem(keyOf(place), JSON.stringify(taken));
    if (newest.key !== keyOf(place)) storage.removeItem(newest.key);
  } catch {} // a full storage: the copy stays where it is
  return newest.copy;
}

/** The state of a node that is opened, with the changes of a copy. */
export function resume(stored: Stored, copy: Copy | null, now: number): Autosave {
  if (!copy) return beginWith(stored);
  const based = { ...stored, nonce: copy.nonce, version: copy.version, fields: { ...stored.fields, ...copy.base } };
  const state: Autosave = {
    ...beginWith(based),
    fields: { ...based.fields, ...copy.fields },
    request: copy.request,
    changed: { first: now, last: now },
  };
  return hear(isUnsaved(state) ? state : beginWith(based), stored);
}

/** Removes copies that are too old. */
export function removeOldCopies(storage: CopyStorage, now: number): void {
  for (const key of keysWith(storage, `${PREFIX}/`)) {
    const copy = read(storage, key);
    if (!copy || copy.at < now - KEPT_MS) storage.removeItem(key);
  }
}

function read(storage: CopyStorage, key: string): Copy | null {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') as Copy | null;
  } catch {
    return null;
  }
}

function keysWith(storage: CopyStorage, prefix: string): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
    key.startsWith(prefix),
  );
}
