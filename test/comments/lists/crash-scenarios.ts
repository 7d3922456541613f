/** A scenario for each failpoint of comments. A file of scenarios exports nothing else. */
import type { Scenario } from '../../crash/scenario.js';
import * as moves from '../comment-move-scenarios.js';
import * as comments from '../comment-scenarios.js';
import * as erasures from '../erasure-scenarios.js';
import * as imports from '../import/comment-import-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [
  ...Object.values<Scenario<unknown>>(comments),
  ...Object.values<Scenario<unknown>>(moves),
  ...Object.values<Scenario<unknown>>(erasures),
  ...Object.values<Scenario<unknown>>(imports),
];
