/** The mutations of ads in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const OWN = 'begins something of one’s own';
const EXPORT = 'changes nothing';
const ZONE = 'is daily work of editors, visible in the zone itself';
const VISITOR = 'is an action of a visitor or a page';

export const auditDecisions: AuditDecisions = {
  audited: {
    changeCampaign: 'CAMPAIGN_PAID',
    startCampaign: 'CAMPAIGN_PAID',
    pauseCampaign: 'CAMPAIGN_CHANGED',
    endCampaign: 'CAMPAIGN_CHANGED',
    addAdUnit: 'CAMPAIGN_CHANGED',
    changeAdUnit: 'CAMPAIGN_CHANGED',
    removeAdUnit: 'CAMPAIGN_CHANGED',
  },
  notAdministrative: {
    addAdvertiser: OWN,
    createCampaign: OWN,
    exportCampaignStats: EXPORT,
    saveZone: ZONE,
    removeZone: ZONE,
    exportZoneStats: EXPORT,
    recordImpressions: VISITOR,
    recordClicks: VISITOR,
    recordConversion: VISITOR,
    forgetVisitor: VISITOR,
  },
};
