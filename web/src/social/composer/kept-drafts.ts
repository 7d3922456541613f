/** Drafts in the browser's storage, so that they survive a reload: of each person, one for each wall. */
import type { PostInput } from '../../../generated/graphql.js';
import { newKey } from '../../api/new-key.js';
import { PERSONAL } from '../../api/personal.js';
import { type Draft, emptyDraft, inputOf, isEmpty } from './draft.js';

/** What was sent without an answer. The same draft is sent again as the same input with the same key: it is posted once. */
export interface Attempt {
  readonly key: string;
  readonly input: PostInput;
  /** The draft that was sent. */
  readonly of: string;
}

export interface KeptDraft {
  readonly draft: Draft;
  readonly attempt: Attempt | null;
}

interface Stored extends KeptDraft {
  readonly at: number;
}

/** More than anybody writes at once. The oldest are forgotten. */
const DRAFTS_MAX = 20;
const OWN_WALL = '';

const keyOf = (personId: string): string => `${PERSONAL}drafts/${personId}`;

function readAll(personId: string): Readonly<Record<string, Stored>> {
  try {
    return JSON.parse(localStorage.getItem(keyOf(personId)) ?? '{}');
  } catch {
    return {};
  }
}

/** @param wall whose wall. Null: the person's own */
export function readDraft(personId: string, wall: string | null): KeptDraft {
  const kept = readAll(personId)[wall ?? OWN_WALL];
  return { draft: { ...emptyDraft, ...kept?.draft }, attempt: kept?.attempt ?? null };
}

/** Keeps a draft, or forgets it if it is empty. */
export function keepDraft(personId: string, wall: string | null, { draft, attempt }: KeptDraft, at: number): void {
  const { [wall ?? OWN_WALL]: _before, ...others } = readAll(personId);
  const all = isEmpty(draft) ? others : { ...others, [wall ?? OWN_WALL]: { draft, attempt, at } };
  const newest = Object.entries(all)
    .toSorted(([, one], [, other]) => other.at - one.at)
    .slice(0, DRAFTS_MAX);
  try {
    if (newest.length === 0) localStorage.removeItem(keyOf(personId));
    else localStorage.setItem(keyOf(personId), JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // The storage is full or switched off: the draft stays in the form.
  }
}

/** How a draft is sent: as before, if it was sent before and has not changed since. */
export function attemptFor({ draft, attempt }: KeptDraft, wall: string | null, now: number): Attempt {
  const of = JSON.stringify(draft);
  return attempt?.of === of ? attempt : { key: newKey(), input: inputOf(draft, wall, now), of };
}
