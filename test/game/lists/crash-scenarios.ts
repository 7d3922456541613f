/** A scenario for each failpoint of the game. A file of scenarios exports nothing else. */
import type { Scenario } from '../../crash/scenario.js';
import * as acts from '../acts/act-scenarios.js';
import * as building from '../building/building-scenarios.js';
import * as imports from '../import/world-import-scenarios.js';
import * as rooms from '../rooms/room-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [acts, building, imports, rooms].flatMap((file) =>
  Object.values<Scenario<unknown>>(file),
);
