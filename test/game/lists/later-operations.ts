/** The contract's operations that are not there yet. */
import type { Reasons } from '../../support/domain/test-domain.js';

export const laterOperations: Reasons = {
  ImportWorld: 'the import of worlds comes with its background work',
  ExportWorld: 'likewise the export',
};
