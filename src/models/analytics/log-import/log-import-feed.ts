/** An import, followed live: the current state, then the state after every batch. */
import { defineDocumentFeed } from '../../../database/index.js';
import { logImports } from './log-import.js';

export const logImportFeed = defineDocumentFeed('log-import', logImports, 'No import has this id');
