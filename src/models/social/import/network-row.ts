/** The rows that an import of a network stores: people, their circles, and posts. `docs/social-import.md` describes them. */
import { InputError } from '../../../shared/errors.js';
import { requireName } from '../../people/user.js';
import { RowError as RowErrorOfAnyReason } from '../../system/work/rows/row-error.js';
import { type Fields, textIn, textsIn } from '../../system/work/rows/row-fields.js';
import { requireCircleName } from '../network/circle.js';
import { FOLLOWING_MAX } from '../network/person.js';
import { type ProfileTexts, requireProfileTexts } from '../network/profile-texts.js';

export interface PersonRow extends ProfileTexts {
  readonly key: string;
  readonly name: string;
}

export interface CircleRow {
  readonly name: string;
  /** The key of the owner. */
  readonly of: string;
  /** Keys, each once. */
  readonly members: readonly string[];
}

/** Why a row is not stored, in words. */
export const rejectReasons = {
  NOT_JSON: 'The line is not a JSON object',
  NOT_UTF8: 'The line is not UTF-8',
  TOO_LONG: 'The row is too long',
  NO_KIND: 'The row has none of the fields person, circle and post, or several of them',
  INVALID_FIELD: 'A field is not of the right type',
  INVALID_KEY: 'The key is not a number or a text of 1 to 200 characters without control characters',
  INVALID_DATE: 'The time is missing, or not in RFC 3339 format',
  IN_THE_FUTURE: 'The time is in the future',
  INVALID_NAME: 'The name is missing, too long, or has hidden characters',
  INVALID_PROFILE: 'A text of the profile is too long or has hidden characters, or there are more than 20 interests',
  INVALID_POST: 'The field is missing, too long, or does not go with the type of the post',
  NO_PHOTOS: 'Photos cannot be imported',
  NO_OWNER: 'Nobody in this source has the key of the owner',
  UNKNOWN_MEMBERS:
    'Nobody in this source has the key of this member, who may not be the owner: those who are known are in the circle',
  CIRCLES_FULL: 'The owner has 100 circles',
  TOO_MANY_PEOPLE: 'The circles of the owner would hold more than 5,000 people',
  NO_AUTHOR: 'Nobody in this source has the key of the author',
  NO_WALL: 'Nobody in this source has the key of the owner of the wall, or one of the two has blocked the other',
  NO_CIRCLE: 'The author has no circle with this name',
} as const;

export type RejectReason = keyof typeof rejectReasons;

/** A row that cannot be stored, for one of these reasons. */
export const RowError = RowErrorOfAnyReason as typeof RowErrorOfAnyReason<RejectReason>;
export type RowError = RowErrorOfAnyReason<RejectReason>;

/** In the order in which they are stored. */
export const KINDS = ['person', 'circle', 'post'] as const;
export type RowKind = (typeof KINDS)[number];

/** @throws RowError */
export function kindOf(fields: Fields): RowKind {
  const [kind, other] = KINDS.filter((each) => fields[each] !== undefined && fields[each] !== null);
  if (kind === undefined || other !== undefined) throw new RowError('NO_KIND', other ?? null);
  return kind;
}

const KEY_LENGTH_MAX = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Other programs number their people. @throws RowError */
export function keyOf(field: string, value: unknown): string {
  const key = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof key !== 'string' || key.length < 1 || key.length > KEY_LENGTH_MAX || CONTROL.test(key))
    throw new RowError('INVALID_KEY', field);
  return key;
}

/** @throws RowError what an InputError says of the value */
export function checked<T>(reason: RejectReason, field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof InputError ? new RowError(reason, field) : error;
  }
}

/** @throws RowError */
export const readPersonRow = (fields: Fields): PersonRow => ({
  key: keyOf('person', fields.person),
  name: checked('INVALID_NAME', 'name', () => requireName('name', textIn(fields, 'name') ?? '')),
  ...textsOfProfile(fields),
});

/** The same bounds as those of a profile that somebody saves. */
function textsOfProfile(fields: Fields): ProfileTexts {
  const [about, place] = [textIn(fields, 'about') ?? '', textIn(fields, 'place') ?? ''];
  const interests = textsIn(fields, 'interests') ?? [];
  try {
    return requireProfileTexts({ about, place, interests });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [, field = null] = String(error.details.field).split('.'); // `input.interests.3` is `interests` in a row
    throw new RowError('INVALID_PROFILE', field);
  }
}

/** @throws RowError */
export function readCircleRow(fields: Fields): CircleRow {
  const name = checked('INVALID_NAME', 'circle', () => requireCircleName('circle', textIn(fields, 'circle') ?? ''));
  const of = keyOf('of', fields.of);
  const given = fields.members ?? [];
  if (!Array.isArray(given)) throw new RowError('INVALID_FIELD', 'members');
  const members = [...new Set(given.map((member: unknown, at) => keyOf(`members.${at}`, member)))];
  if (members.length > FOLLOWING_MAX) throw new RowError('TOO_MANY_PEOPLE', 'members');
  return { name, of, members };
}
