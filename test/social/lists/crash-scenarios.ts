/** A scenario for each failpoint of the network. */
import { deliveryScenarios } from '../news/delivery-scenarios.js';

export const crashScenarios = [...deliveryScenarios];
