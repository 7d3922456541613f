/** The contract's operations of ads, in the order in which they run. */
import type { Row } from '../../contract/row.js';
import { adRows } from '../ad-rows.js';

export const contractRows: readonly Row[] = adRows;
