/** The contract's operations of content, in the order in which they run. */
import { commentRows } from '../../comments/comment-rows.js';
import type { Row } from '../../contract/row.js';
import { importRows } from '../import/import-rows.js';
import { migrationRows } from '../migration/migration-rows.js';
import { nodeRows } from '../nodes/node-rows.js';
import { photoRows } from '../posts/photo-rows.js';

export const contractRows: readonly Row[] = [
  ...nodeRows,
  ...photoRows,
  ...importRows,
  ...migrationRows,
  ...commentRows,
];
