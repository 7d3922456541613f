/** The contract's operations of the network, in the order in which they run. */
import type { Row } from '../../contract/row.js';
import { importRows } from '../import/import-rows.js';
import { socialRows } from '../social-rows.js';

export const contractRows: readonly Row[] = [...socialRows, ...importRows];
