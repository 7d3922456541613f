/** The contract's rows of nodes. */
import type { Row } from '../../contract/row.js';

export const nodeRows: readonly Row[] = [];
