/** An account, followed live: as it stands, then again after every change. */
import { defineDocumentFeed } from '../../database/index.js';
import { accounts } from './account.js';

export const accountFeed = defineDocumentFeed('account', accounts, 'There is no such account');
