/** An import, followed live: as it stands, then again after every batch. */
import { defineDocumentFeed } from '../../database/index.js';
import { logImports } from './log-import.js';

export const logImportFeed = defineDocumentFeed('log-import', logImports, 'No import has this id');
