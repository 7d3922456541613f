/** Campaigns, followed live. */
import { defineDocumentFeed } from '../../../database/index.js';
import { campaigns } from './campaign.js';

export const campaignFeed = defineDocumentFeed('campaign', campaigns, 'There is no such campaign');
