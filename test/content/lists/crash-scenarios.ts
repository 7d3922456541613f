/** The crash scenarios of content. */

import { migrationScenarios } from '../migration/migration-scenarios.js';
import { nameScenarios } from '../nodes/author-name-scenarios.js';
import { trashScenarios } from '../nodes/node-trash-scenarios.js';
import { announcementScenarios } from '../posts/announcement-scenarios.js';
import { photoScenarios } from '../posts/photo-scenarios.js';

export const crashScenarios = [
  ...trashScenarios,
  ...nameScenarios,
  ...announcementScenarios,
  ...photoScenarios,
  ...migrationScenarios,
];
