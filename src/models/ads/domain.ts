/** Ads: campaigns of advertisers, the zones in which they are shown, decisions, and what is counted and paid. */
import { MINUTE_MS, SECOND_MS } from '../../shared/time.js';
import { SiteOrigins } from '../analytics/sites/site-origins.js';
import { type PaymentProvider, payByTransfer } from '../commerce/money/payment.js';
import type { Domain } from '../domain.js';
import { advertisers } from './advertisers/advertiser.js';
import { assetUses } from './asset-uses.js';
import { adUnits } from './campaigns/ad-unit.js';
import { campaigns } from './campaigns/campaign.js';
import { closeCampaign, closeCampaigns } from './campaigns/campaign-end.js';
import './campaigns/campaign-feed.js';
import { recoverPayments } from './campaigns/campaign-payment.js';
import { fillNewZones, refreshStaleZones, refreshZonesOrLater } from './campaigns/placement.js';
import { adjustCampaigns, endFlights } from './campaigns/upkeep.js';
import { AdSigner } from './decisions/ad-signer.js';
import type { Decider } from './decisions/decision.js';
import { DecisionTally } from './decisions/decision-tally.js';
import { MinuteCount } from './decisions/minute-count.js';
import { findCampaignViolations, findZoneViolations } from './invariants.js';
import { personalData } from './personal-data.js';
import { findProfileViolations } from './profile-invariants.js';
import { profiles } from './profiles/ad-profile.js';
import { findReceiptViolations, findZoneCounterViolations } from './receipt-invariants.js';
import { AdRecorder } from './recording/ad-recorder.js';
import { recordedReceipts } from './recording/recorded-receipt.js';
import { adsSteps, areAdsEmpty } from './seed/ads-seed.js';
import { adStats } from './stats/ad-stats.js';
import './stats/ad-stats-feed.js';
import { statsExport } from './stats-export.js';
import { zones } from './zones/zone.js';
import { ZoneCache } from './zones/zone-cache.js';
import './zones/zone-feed.js';
import { findPlaceOfBlog } from './zones/zone-pages.js';

export interface AdsSettings {
  readonly RECOVER_AFTER_SECONDS: number;
  readonly ADS_WAITING_MAX: number;
}

/** They live as long as the process. */
export interface AdsServices {
  readonly ads: {
    readonly decider: Decider;
    readonly recorder: AdRecorder;
    /** Which pages may ask for ads. */
    readonly origins: SiteOrigins;
    readonly payment: PaymentProvider;
    readonly recoverAfterMs: number;
  };
}

export const adsDomain: Domain<AdsSettings, AdsServices> = {
  name: 'ads',
  collections: [advertisers, campaigns, adUnits, zones, profiles, recordedReceipts, adStats],
  invariantChecks: [
    { name: 'Campaigns and their money', collections: [campaigns], find: findCampaignViolations },
    { name: 'Zones and their ads', collections: [zones], find: findZoneViolations },
    { name: 'Receipts of ads', collections: [adUnits], find: findReceiptViolations },
    { name: 'Counters of zones', collections: [], find: findZoneCounterViolations },
    { name: 'Profiles of visitors', collections: [profiles], find: findProfileViolations },
  ],
  recoveryWorkers: [
    {
      name: 'Finish or roll back stalled payments of campaigns',
      work: ({ ads }, { db, now, before }) => recoverPayments(db, ads.payment, before(ads.recoverAfterMs), now),
    },
    {
      name: 'Finish the ends of campaigns',
      work: ({ ads }, { db, now, before }) => closeCampaigns(db, ads.payment, before(ads.recoverAfterMs), now),
    },
    {
      name: 'Show changed campaigns in their zones',
      work: (_services, { db, now }) => refreshStaleZones(db, now),
    },
    { name: 'Fill new zones with ads', work: (_services, { db, now }) => fillNewZones(db, now) },
  ],
  jobs: [
    {
      name: 'End campaigns whose flight is over',
      everyMs: MINUTE_MS,
      atStart: true,
      run: async ({ ads }, { db, now }) => {
        await endFlights(db, ads.payment, now());
      },
    },
    {
      name: 'Adjust the eCPM and the pace of campaigns',
      everyMs: MINUTE_MS,
      atStart: true,
      run: async (_services, { db, now }) => {
        await adjustCampaigns(db, now());
      },
    },
  ],
  metrics: [
    {
      kind: 'gauge',
      name: 'sextant_ad_receipts_waiting',
      help: 'Receipts of ads waiting to be written',
      read: ({ ads }) => ads.recorder.health.waiting,
    },
    {
      kind: 'counter',
      name: 'sextant_ad_groups_total',
      help: 'Groups of receipts of ads written',
      read: ({ ads }) => ads.recorder.health.groups,
    },
  ],
  workKinds: [statsExport],
  seed: { isEmpty: areAdsEmpty, steps: ({ ads }) => adsSteps(ads.payment) },
  assetUses,
  adPlaceOf: findPlaceOfBlog,
  personalData,
  open: async ({ db, now, onFault }, settings) => {
    const payment = payByTransfer(db);
    const onUsedUp = (id: string) =>
      closeCampaign(db, payment, id, now()).catch((error: unknown) =>
        onFault('A campaign whose budget is used up could not be closed; a worker does it', error, { campaign: id }),
      );
    const onBidUsedUp = (id: string) =>
      refreshZonesOrLater(db, id, now()).catch((error: unknown) =>
        onFault('A campaign with a bid that it cannot pay could not be placed; a worker does it', error, {
          campaign: id,
        }),
      );
    const shown = new MinuteCount();
    return {
      ads: {
        decider: {
          signer: await AdSigner.open(db),
          zones: new ZoneCache(db),
          tally: new DecisionTally(db, (error) => onFault('Counted decisions could not be stored', error)),
          shown,
          random: Math.random,
        },
        recorder: new AdRecorder({ db, now, waitingMax: settings.ADS_WAITING_MAX, shown, onUsedUp, onBidUsedUp }),
        origins: new SiteOrigins(db),
        payment,
        recoverAfterMs: settings.RECOVER_AFTER_SECONDS * SECOND_MS,
      },
    };
  },
  close: async ({ ads }) => {
    await ads.recorder.close();
    await ads.decider.tally.close();
  },
};

declare module '../people/audit.js' {
  interface AuditActions {
    CAMPAIGN_PAID: true;
    CAMPAIGN_CHANGED: true;
  }
}

declare module '../people/api-key.js' {
  interface Scopes {
    ADS_WRITE: true;
  }
}
