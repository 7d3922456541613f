/** A post that is being written: a value for every type, so that changing the type loses nothing. */
import type { Audience, PostInput, PostType } from '../../../generated/graphql.js';
import type { UploadedPicture } from '../../api/picture-upload.js';
import { excessOf, ofDescription } from '../parts/text-limit.js';

export interface Draft {
  readonly type: PostType;
  readonly text: string;
  readonly audience: Audience;
  readonly circleIds: readonly string[];
  readonly picture: UploadedPicture | null;
  /** Of the picture, for people who cannot see it. It goes with the picture. */
  readonly description: string;
  readonly url: string;
  readonly linkTitle: string;
  readonly place: string;
  readonly position: { readonly latitude: number; readonly longitude: number } | null;
  readonly question: string;
  readonly options: readonly string[];
  /** Hours. 0: voting does not end. */
  readonly openFor: number;
  /** The object that it is about. */
  readonly aboutId: string | null;
}

export const emptyDraft: Draft = {
  type: 'STATUS',
  text: '',
  audience: 'MY_CIRCLES',
  circleIds: [],
  picture: null,
  description: '',
  url: '',
  linkTitle: '',
  place: '',
  position: null,
  question: '',
  options: ['', ''],
  openFor: 0,
  aboutId: null,
};

/** Whether nothing was written. Whom it is for does not count. */
export const isEmpty = ({ audience: _, circleIds: __, ...draft }: Draft): boolean => {
  const { audience, circleIds, ...empty } = emptyDraft;
  return JSON.stringify(draft) === JSON.stringify(empty);
};

const HOUR_MS = 3_600_000;
const ADDRESS = /^https?:\/\/\S+$/i;

const filled = (options: readonly string[]) => options.map((each) => each.trim()).filter(Boolean);

/** @returns what is missing, as a sentence, or null */
export function lackOf(draft: Draft): string | null {
  if (draft.audience === 'CIRCLES' && draft.circleIds.length === 0) return 'Choose at least one circle.';
  const excess = excessOf(draft.text);
  if (excess !== null) return excess;
  switch (draft.type) {
    case 'STATUS':
      return draft.text.trim() === '' ? 'Write something first.' : null;
    case 'PHOTO':
      return draft.picture ? excessOf(draft.description, ofDescription) : 'Choose a photo.';
    case 'LINK':
      return ADDRESS.test(draft.url.trim()) ? null : 'The address must start with https:// or http://.';
    case 'CHECK_IN':
      return draft.place.trim() === '' ? 'Name the place.' : null;
    case 'POLL':
      if (draft.question.trim() === '') return 'Write a question.';
      return filled(draft.options).length < 2 ? 'Write at least two options.' : null;
  }
}

/** Only the fields of its type. */
export function inputOf(draft: Draft, onWallOf: string | null, now: number): PostInput {
  const { type, text, audience, circleIds, picture, position } = draft;
  const common: PostInput = { type, text, audience, circleIds: audience === 'CIRCLES' ? [...circleIds] : [] };
  if (onWallOf !== null) common.onWallOf = onWallOf;
  if (draft.aboutId !== null) common.aboutId = draft.aboutId;
  switch (type) {
    case 'STATUS':
      return common;
    case 'PHOTO':
      return { ...common, imageId: picture?.id ?? null, description: draft.description.trim() || null };
    case 'LINK':
      return { ...common, url: draft.url.trim(), title: draft.linkTitle.trim() || null };
    case 'CHECK_IN':
      return { ...common, title: draft.place.trim(), ...position };
    case 'POLL': {
      const closesAt = draft.openFor === 0 ? null : new Date(now + draft.openFor * HOUR_MS).toISOString();
      return { ...common, poll: { question: draft.question.trim(), options: filled(draft.options), closesAt } };
    }
  }
}
