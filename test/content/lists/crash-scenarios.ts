/** The crash scenarios of content. */
import { announcementScenarios } from '../nodes/announcement-scenarios.js';
import { nameScenarios } from '../nodes/author-name-scenarios.js';
import { trashScenarios } from '../nodes/node-trash-scenarios.js';
import { photoScenarios } from '../nodes/photo-scenarios.js';

export const crashScenarios = [...trashScenarios, ...nameScenarios, ...announcementScenarios, ...photoScenarios];
