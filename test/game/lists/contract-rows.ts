/** The contract's operations of the game, in the order in which they run. */
import type { Row } from '../../contract/row.js';
import { gameRows } from '../game-rows.js';
import { worldFileRows } from '../import/world-file-rows.js';

export const contractRows: readonly Row[] = [...gameRows, ...worldFileRows];
