/**
 * When the text on the screen is saved, as a pure state machine. It never loses a change and never overwrites one:
 * - A request whose outcome is unknown is repeated as it was, with its idempotency key, before anything else is sent.
 * - Each request names the version it is based on (its nonce). If someone else was faster, the server refuses it, and
 *   nothing is sent until the user has merged both.
 * - Only drafts are saved automatically. The changes of what readers see, or will see at a time, wait until the user
 *   saves them: half a sentence must not be published.
 */

/** What an edit may change. A field that the node does not have is absent. */
export type FieldName =
  | 'title'
  | 'excerpt'
  | 'text'
  | 'description'
  | 'videoUrl'
  | 'source'
  | 'imageId'
  | 'publishedAt';
export type Fields = { readonly [Name in FieldName]?: string | null };

/** A version that the server has. */
export interface Stored {
  readonly nonce: string;
  /** Counts up, so of two versions it tells which is newer. */
  readonly version: number;
  readonly fields: Fields;
  readonly isDraft: boolean;
  /** Who made the last version, if that is known. */
  readonly by: string | null;
}

export interface SaveRequest {
  readonly key: string;
  readonly nonce: string;
  readonly changes: Fields;
}

export interface FieldConflict {
  readonly field: FieldName;
  readonly base: string | null;
  readonly yours: string | null;
  readonly theirs: string | null;
  /** Null: both changed the same lines. */
  readonly merged: string | null;
}

export type Trouble =
  | { readonly kind: 'offline' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'conflict'; readonly theirs: Stored; readonly conflicts: readonly FieldConflict[] };

export interface Autosave {
  readonly stored: Stored;
  /** What is on the screen. */
  readonly fields: Fields;
  /** Sent, and not yet answered. */
  readonly request: SaveRequest | null;
  readonly trouble: Trouble | null;
  /** A newer version of someone else, of which the server has told while there are unsaved changes. */
  readonly heard: Stored | null;
  /** The first and the last change since the last request. Null: none. */
  readonly changed: { readonly first: number; readonly last: number } | null;
  /** When the last automatic save was sent. */
  readonly sentAt: number;
}

/** A version for each pause in typing would flood the history; a pause this short is no pause for thought. */
export const QUIET_MS = 2_000;
/** At most this often a version is saved automatically. The browser keeps a copy of each change in between. */
export const INTERVAL_MS = 15_000;
/** Somebody who types without a pause is saved, too. */
export const WITHOUT_PAUSE_MS = 30_000;

export const beginWith = (stored: Stored): Autosave => ({
  stored,
  fields: stored.fields,
  request: null,
  trouble: null,
  heard: null,
  changed: null,
  sentAt: Number.NEGATIVE_INFINITY,
});

/** The fields that differ from what the server has. */
export function changesOf({ stored, fields }: Pick<Autosave, 'stored' | 'fields'>): Fields {
  const names = Object.keys(fields) as FieldName[];
  return Object.fromEntries(
    names.filter((name) => !isSame(fields[name], stored.fields[name])).map((name) => [name, fields[name]]),
  );
}

/** An empty text and none are the same to a reader. */
const isSame = (one: string | null | undefined, other: string | null | undefined) => (one || null) === (other || null);

export const hasChanges = (state: Pick<Autosave, 'stored' | 'fields'>): boolean =>
  Object.keys(changesOf(state)).length > 0;

/** Whether leaving now would lose something, were there no copy in the browser. */
export const isUnsaved = (state: Autosave): boolean => state.request !== null || hasChanges(state);

export function edit(state: Autosave, changes: Fields, now: number): Autosave {
  const next = { ...state, fields: { ...state.fields, ...changes } };
  if (!hasChanges(next)) return { ...next, changed: null, trouble: withoutRefusal(next.trouble) };
  return {
    ...next,
    changed: { first: state.changed?.first ?? now, last: now },
    trouble: withoutRefusal(state.trouble),
  };
}

/** What the server refused may be right after the change. */
const withoutRefusal = (trouble: Trouble | null) => (trouble?.kind === 'refused' ? null : trouble);

/**
 * When the next automatic save is due.
 * @returns null: not before another change, another event, or the user's own save
 */
export function dueAt({ stored, request, trouble, heard, changed, sentAt }: Autosave): number | null {
  if (!stored.isDraft || request || trouble || heard || !changed) return null;
  const pause = Math.min(changed.last + QUIET_MS, changed.first + WITHOUT_PAUSE_MS);
  return Math.max(pause, sentAt + INTERVAL_MS);
}

/**
 * What to send now. It is the request without an outcome, if there is one, and otherwise the changes.
 * @param key the idempotency key of a new request
 * @returns the state with its request; the same state if there is nothing to send, or a conflict to solve first
 */
export function begin(state: Autosave, key: string, now: number): Autosave {
  if (state.trouble?.kind === 'conflict') return state;
  const { request, stored } = state;
  if (request) return { ...state, trouble: null };
  if (!hasChanges(state)) return state;
  return {
    ...state,
    request: { key, nonce: stored.nonce, changes: changesOf(state) },
    trouble: null,
    changed: null,
    sentAt: now,
  };
}

/** The request was answered: the server has this version. What was typed since then is still to be saved. */
export function succeed(state: Autosave, stored: Stored, now: number): Autosave {
  const heard = state.heard && state.heard.version > stored.version ? state.heard : null;
  const next = { ...state, stored, request: null, trouble: null, heard };
  // The server may have stored a field in another form, for example without the spaces at its end.
  const fields = { ...next.fields };
  for (const name of Object.keys(state.request?.changes ?? {}) as FieldName[])
    if (isSame(fields[name], state.request?.changes[name])) fields[name] = stored.fields[name] ?? null;
  const settled = { ...next, fields };
  if (!hasChanges(settled))
    return heard ? hear({ ...settled, changed: null, heard: null }, heard) : { ...settled, changed: null };
  return { ...settled, changed: state.changed ?? { first: now, last: now } };
}

/** No answer arrived: whether it was saved is unknown. */
export const loseConnection = (state: Autosave): Autosave => ({ ...state, trouble: { kind: 'offline' } });

/** Refused, whatever version the server has: nothing was saved. */
export const refuse = (state: Autosave, message: string): Autosave => ({
  ...state,
  request: null,
  trouble: { kind: 'refused', message },
});

/** Someone else was faster: nothing was saved. */
export const conflict = (state: Autosave, theirs: Stored, conflicts: readonly FieldConflict[]): Autosave => ({
  ...state,
  request: null,
  heard: null,
  trouble: { kind: 'conflict', theirs, conflicts },
});

/**
 * The server has told of a version: one's own, an old one, or another editor's. Without unsaved changes it is shown at
 * once; otherwise it is announced, and waits.
 */
export function hear(state: Autosave, stored: Stored): Autosave {
  const known = state.trouble?.kind === 'conflict' ? state.trouble.theirs : state.stored;
  if (stored.nonce === known.nonce || stored.version < known.version) return state;
  if (state.trouble?.kind === 'conflict')
    return { ...state, trouble: { ...state.trouble, theirs: stored, conflicts: conflictsWith(state, stored) } };
  if (isUnsaved(state)) return { ...state, heard: stored };
  return { ...state, stored, fields: stored.fields };
}

/** The user wants to see the announced version beside the text. The same as the server's answer to a save. */
export const review = (state: Autosave): Autosave =>
  state.heard && !state.request ? conflict(state, state.heard, conflictsWith(state, state.heard)) : state;

function conflictsWith(state: Autosave, theirs: Stored): FieldConflict[] {
  const textOf = (fields: Fields, name: FieldName) => fields[name] ?? null;
  return (Object.keys(changesOf(state)) as FieldName[])
    .filter((name) => !isSame(state.fields[name], theirs.fields[name]))
    .map((field) => {
      const [base, yours, other] = [state.stored.fields, state.fields, theirs.fields].map((fields) =>
        textOf(fields, field),
      );
      return {
        field,
        base: base ?? null,
        yours: yours ?? null,
        theirs: other ?? null,
        merged: isSame(base, other) ? (yours ?? null) : null,
      };
    });
}

/** The user has merged both: from here on the text is based on the other's version. */
export function merge(state: Autosave, fields: Fields, now: number): Autosave {
  if (state.trouble?.kind !== 'conflict') return state;
  const { theirs } = state.trouble;
  const next = { ...state, stored: theirs, fields: { ...theirs.fields, ...fields }, trouble: null, heard: null };
  return { ...next, changed: hasChanges(next) ? { first: now, last: now } : null };
}

/** Gives up the unsaved changes. */
export function discard(state: Autosave): Autosave {
  const stored = state.trouble?.kind === 'conflict' ? state.trouble.theirs : (state.heard ?? state.stored);
  return { ...beginWith(stored), request: state.request, sentAt: state.sentAt };
}
