import { formatCount } from '../../kit/base/format.js';

/** 900 g, 1.4 kg. */
export const formatWeight = (grams: number): string =>
  grams < 1000 ? `${formatCount(grams)} g` : `${formatCount(Math.round(grams / 100) / 10)} kg`;
