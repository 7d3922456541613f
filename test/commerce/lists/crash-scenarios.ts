/** A scenario for each failpoint of the shop. A file of scenarios exports nothing else. */
import type { Scenario } from '../../crash/scenario.js';
import * as catalog from '../catalog/catalog-scenarios.js';
import * as transfers from '../money/transfer-scenarios.js';
import * as carts from '../orders/cart-scenarios.js';
import * as checkouts from '../orders/checkout-scenarios.js';
import * as reversals from '../orders/reversal-scenarios.js';

export const crashScenarios: readonly Scenario<unknown>[] = [catalog, transfers, carts, checkouts, reversals].flatMap(
  (file) => Object.values<Scenario<unknown>>(file),
);
