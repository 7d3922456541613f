/** The contract's operations of the shop, in the order in which they run. */
import type { Row } from '../../contract/row.js';
import { productDiscussionRows } from '../../joins/product-discussion-rows.js';
import { catalogRows } from '../catalog/catalog-rows.js';
import { shopRows } from '../shop-rows.js';

export const contractRows: readonly Row[] = [
  ...catalogRows,
  ...productDiscussionRows,
  ...shopRows,
  { operation: 'Violations', variables: {}, expected: { violations: [] } }, // in the data that all rows leave
];
