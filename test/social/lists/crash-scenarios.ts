/** A scenario for each failpoint of the network. */
import type { Scenario } from '../../crash/scenario.js';
import * as erasures from '../erasure-scenarios.js';
import * as imports from '../import/network-import-scenarios.js';
import * as circles from '../network/circle-scenarios.js';
import * as names from '../network/name-scenarios.js';
import { deliveryScenarios } from '../news/delivery-scenarios.js';
import { longDeliveryScenarios } from '../news/long-delivery-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [
  ...deliveryScenarios,
  ...longDeliveryScenarios,
  ...Object.values<Scenario<unknown>>(imports),
  ...Object.values<Scenario<unknown>>(erasures),
  ...Object.values<Scenario<unknown>>(names),
  ...Object.values<Scenario<unknown>>(circles),
];
