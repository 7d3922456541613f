/** A scenario for each failpoint of ads. A file of scenarios exports nothing else. */
import type { Scenario } from '../../crash/scenario.js';
import * as campaigns from '../campaigns/campaign-scenarios.js';
import * as recording from '../recording/recording-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [campaigns, recording].flatMap((file) =>
  Object.values<Scenario<unknown>>(file),
);
