/** The contract's operations of analytics, in the order in which they run. */
import type { Row } from '../../contract/row.js';
import { hitRows } from '../hits/hit-rows.js';
import { logRows } from '../log/log-rows.js';
import { logGrowthRows } from '../log-growth/log-growth-rows.js';
import { sessionRows } from '../sessions/session-rows.js';

export const contractRows: readonly Row[] = [...hitRows, ...logRows, ...logGrowthRows, ...sessionRows];
