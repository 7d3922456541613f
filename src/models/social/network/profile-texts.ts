/** The texts of a profile, and their bounds: the same for who saves one and for an import. */
import { InputError } from '../../../shared/errors.js';
import { requireLines, requireVisible } from '../../../shared/visible-text.js';

export interface ProfileTexts {
  readonly about: string;
  readonly place: string;
  readonly interests: readonly string[];
}

const ABOUT_LENGTH_MAX = 1000;
const PLACE_LENGTH_MAX = 100;
const INTERESTS_MAX = 20;
const INTEREST_LENGTH_MAX = 50;

/** @returns them trimmed, each interest once @throws InputError with the field below `input` */
export function requireProfileTexts({ about: given, place, interests }: ProfileTexts): ProfileTexts {
  const about = requireLines('input.about', given, ABOUT_LENGTH_MAX);
  if (interests.length > INTERESTS_MAX)
    throw new InputError('input.interests', `must have at most ${INTERESTS_MAX} entries`);
  return {
    about,
    place: place.trim() === '' ? '' : requireVisible('input.place', place, PLACE_LENGTH_MAX),
    interests: [
      ...new Set(interests.map((each, at) => requireVisible(`input.interests.${at}`, each, INTEREST_LENGTH_MAX))),
    ],
  };
}
