/** The contract's operations of the shop, in the order in which they run. */
import type { Row } from '../../contract/row.js';
import { catalogRows } from '../catalog/catalog-rows.js';
import { shopRows } from '../shop-rows.js';

export const contractRows: readonly Row[] = [
  ...catalogRows,
  ...shopRows,
  { operation: 'Violations', variables: {}, expected: { violations: [] } }, // in the data that all rows leave
];
