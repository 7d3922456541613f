/** A scenario for each failpoint of the system. A file of scenarios exports nothing else. */
import type { Scenario } from '../../crash/scenario.js';
import * as jobs from '../../jobs/job-scenarios.js';
import * as assets from '../assets/asset-scenarios.js';
import * as personalData from '../personal-data/personal-data-scenarios.js';
import * as seeds from '../work/seed-scenarios.js';
import * as work from '../work/work-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [
  ...Object.values<Scenario<unknown>>(jobs),
  ...Object.values<Scenario<unknown>>(work),
  ...Object.values<Scenario<unknown>>(assets),
  ...Object.values<Scenario<unknown>>(seeds),
  ...Object.values<Scenario<unknown>>(personalData),
];
