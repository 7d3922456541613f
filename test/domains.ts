/**
 * The domains, in the order in which the tests of the whole API build on each other: people first, on an empty database; commerce last,
 * because it ends with the check of the data that all of them leave.
 */
import { ads } from './ads/domain.js';
import { analytics } from './analytics/domain.js';
import { comments } from './comments/domain.js';
import { commerce } from './commerce/domain.js';
import { content } from './content/domain.js';
import { game } from './game/domain.js';
import { people } from './people/domain.js';
import { social } from './social/domain.js';
import type { TestDomain } from './support/domain/test-domain.js';
import { system } from './system/domain.js';

export const domains: readonly TestDomain[] = [
  people,
  analytics,
  system,
  content,
  comments,
  social,
  game,
  ads,
  commerce,
];
