/** The mutations of ads in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const CAMPAIGN = 'is work of advertisers, visible in the campaign itself';
const ZONE = 'is daily work of editors, visible in the zone itself';
const VISITOR = 'is an action of a visitor or a page';

export const auditDecisions: AuditDecisions = {
  audited: {
    changeCampaign: 'CAMPAIGN_PAID',
    startCampaign: 'CAMPAIGN_PAID',
  },
  notAdministrative: {
    addAdvertiser: CAMPAIGN,
    createCampaign: CAMPAIGN,
    pauseCampaign: CAMPAIGN,
    endCampaign: CAMPAIGN,
    addAdUnit: CAMPAIGN,
    changeAdUnit: CAMPAIGN,
    removeAdUnit: CAMPAIGN,
    exportCampaignStats: CAMPAIGN,
    saveZone: ZONE,
    removeZone: ZONE,
    exportZoneStats: ZONE,
    recordImpressions: VISITOR,
    recordClicks: VISITOR,
    recordConversion: VISITOR,
    forgetVisitor: VISITOR,
  },
};
