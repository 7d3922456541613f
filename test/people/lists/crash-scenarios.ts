/** A scenario for each failpoint of people. A file of scenarios exports nothing else. */
import type { Scenario } from '../../crash/scenario.js';
import * as erasure from '../erasure-scenarios.js';
import * as people from '../people-scenarios.js';
import * as signIn from '../sign-in-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [people, signIn, erasure].flatMap((file) =>
  Object.values<Scenario<unknown>>(file),
);
