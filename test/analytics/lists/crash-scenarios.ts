/** A scenario for each failpoint of analytics. A file of scenarios exports nothing else. */
import type { Scenario } from '../../crash/scenario.js';
import * as hits from '../hits/hit-scenarios.js';
import * as preAllocation from '../hits/pre-allocation-scenarios.js';
import * as requests from '../log/request-scenarios.js';
import * as logGrowth from '../log-growth/log-growth-scenarios.js';
import * as logImports from '../log-import/log-import-scenarios.js';
import * as looseBatches from '../log-import/log-loose-batch-scenarios.js';
import * as sessions from '../sessions/session-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [
  hits,
  preAllocation,
  requests,
  logGrowth,
  logImports,
  looseBatches,
  sessions,
].flatMap((file) => Object.values<Scenario<unknown>>(file));
