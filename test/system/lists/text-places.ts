/** The texts in the mutations of system. */
import type { TextPlaces } from '../../support/domain/text-places.js';

export const textPlaces: TextPlaces = {
  names: {},
  others: ['seedDomain.domain'],
};
