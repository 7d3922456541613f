/**
 * Recorded impressions: the group commit against the same commands for each impression with the raw driver, in this process, with the same
 * durability. The raw driver does less: it checks neither budgets nor caps, and a crash between its commands leaves them unequal.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { buildIndexes, writeConcernOf } from '../../src/database/index.js';
import { adUnits } from '../../src/models/ads/campaigns/ad-unit.js';
import { campaigns } from '../../src/models/ads/campaigns/campaign.js';
import { MinuteCount } from '../../src/models/ads/decisions/minute-count.js';
import type { Receipt } from '../../src/models/ads/decisions/receipt.js';
import { profileExpiryOf, profiles } from '../../src/models/ads/profiles/ad-profile.js';
import { CONTACTS_MAX } from '../../src/models/ads/profiles/frequency-cap.js';
import { AdRecorder } from '../../src/models/ads/recording/ad-recorder.js';
import { expiryOf, recordedIdOf, recordedReceipts } from '../../src/models/ads/recording/recorded-receipt.js';
import { AdTally, adStats, subjectOf } from '../../src/models/ads/stats/ad-stats.js';
import type { Benchmark, Findings, Surroundings, Verdict } from '../support/benchmark.js';
import { Contest, inOwnDatabase, measureCallers } from '../support/contest.js';
import { roundsOf } from '../support/report.js';
import {
  ADVERTISER,
  campaignName,
  makeCampaign,
  makeUnit,
  storeCampaigns,
  storeUnits,
  unitName,
  visitorName,
  zoneId,
} from './many-ads.js';

const CAMPAIGNS = 10;
const UNITS = 50;
const VISITORS = 100_000;
const ROUND_MS = 2000;
const PRICE = 500;
const goals = { 64: 5, 512: 30 } as const;
const crowds = [64, 512] as const;
const audiences = ['known', 'unknown'] as const;
type Audience = (typeof audiences)[number];
const ways = ['group commit', 'raw: each command'] as const;
type Way = (typeof ways)[number];
type RecordReceipt = (receipt: Receipt) => Promise<unknown>;

export const impressions: Benchmark = {
  name: 'impressions',
  title: 'Recorded impressions: the group commit against the raw driver',
  run: (surroundings) => inOwnDatabase(surroundings, (_client, db) => measure(db, surroundings)),
};

const cell = (audience: Audience, callers: number, way: Way) => [audience, String(callers), way];

async function measure(db: Db, { rounds, scale, log }: Surroundings): Promise<Findings> {
  await buildIndexes(db);
  const now = new Date();
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  await storeCampaigns(
    db,
    numbers(CAMPAIGNS).map((at) => makeCampaign({ id: campaignName(at), price: PRICE }, now)),
  );
  await storeUnits(
    db,
    numbers(UNITS).map((at) => makeUnit(unitName(at), campaignOf(at), now)),
  );
  const recorder = new AdRecorder({
    db,
    now: () => new Date(),
    waitingMax: 100_000,
    shown: new MinuteCount(),
    onUsedUp: async () => undefined,
    onBidUsedUp: async () => undefined,
  });
  const record: Record<Way, RecordReceipt> = {
    'group commit': (receipt) => recorder.record([{ kind: 'IMPRESSION', receipt }], 'MAJORITY'),
    'raw: each command': (receipt) => recordRaw(db, receipt),
  };
  const contest = new Contest({ perSecond: 'impressions/s', p50: 'p50 ms', cpu: 'CPU µs per impression' });
  for (let round = 0; round <= rounds; round += 1) {
    const ms = round === 0 ? 300 : ROUND_MS * scale; // round 0 warms up
    for (const audience of audiences)
      for (const callers of crowds)
        for (const way of ways) {
          const figures = await measureCallers(callers, ms, async (caller, turn) => {
            await record[way](receiptOf(caller * 7919 + turn * 13, audience));
            return 1;
          });
          if (round > 0) contest.add(cell(audience, callers, way), figures);
        }
    log(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  await recorder.close();
  const verdicts = audiences.flatMap((audience) =>
    crowds.map(
      (callers): Verdict => ({
        row: `recorded impressions per second, ${callers} callers, ${audience} visitors`,
        against: 'the same commands for each with the raw driver',
        measured: contest.ratio(
          'perSecond',
          cell(audience, callers, 'group commit'),
          cell(audience, callers, 'raw: each command'),
        ),
        bound: 'at least',
        goal: goals[callers],
        unit: ' times',
      }),
    ),
  );
  const lines = audiences.flatMap((audience) =>
    crowds.flatMap((callers) =>
      ways.map((way) => ({ cell: cell(audience, callers, way), base: cell(audience, callers, 'raw: each command') })),
    ),
  );
  return {
    verdicts,
    tables: [contest.table(['visitors', 'callers', 'method'], lines, { of: 'perSecond', heading: '÷ raw commands' })],
    notes: [
      `${UNITS} ad units of ${CAMPAIGNS} campaigns in one zone, ${VISITORS.toLocaleString('en')} visitors. Each caller sends its next receipt when the previous one is durable on a majority. ${roundsOf(rounds)} of ${(ROUND_MS * scale) / 1000} s, interleaved. CPU is that of this process, including the callers.`,
      'An impression is seven writes for a known visitor, six for an unknown one: its receipt, the statistics of the campaign, the unit and the zone, the totals of the unit, the spending of the campaign, the profile. The raw driver sends them concurrently, and reads nothing. The group commit reads receipts, campaigns and profiles first, and writes all in one transaction.',
    ],
  };
}

const campaignOf = (unit: number): string => campaignName(unit % CAMPAIGNS);

function receiptOf(number: number, audience: Audience): Receipt {
  const unit = number % UNITS;
  return {
    id: randomBytes(12).toString('base64url'),
    unit: unitName(unit),
    campaign: campaignOf(unit),
    advertiser: ADVERTISER,
    zone: zoneId('top'),
    visitor: audience === 'known' ? visitorName(number % VISITORS) : '',
    prices: { impression: PRICE, click: 0 },
    at: new Date(),
  };
}

async function recordRaw(db: Db, receipt: Receipt): Promise<void> {
  const { unit, campaign, zone, visitor, at, prices } = receipt;
  const spent = prices.impression;
  const writeConcern = writeConcernOf.MAJORITY;
  const tally = new AdTally();
  for (const [subject, owner] of [
    [subjectOf('campaign', campaign)],
    [subjectOf('unit', unit), campaign],
    [subjectOf('zone', zone)],
  ] as const)
    tally.add(subject, at, { impressions: 1, spent }, owner);
  const contacts = `units.${unit}`;
  await Promise.all([
    recordedReceipts(db).insertOne(
      {
        _id: recordedIdOf('IMPRESSION', receipt),
        campaign_id: campaign,
        zone_id: zone,
        spent,
        expires_at: expiryOf('IMPRESSION', receipt),
      },
      { writeConcern },
    ),
    ...tally.statements().map(({ q, u }) => adStats(db).updateOne(q, u, { upsert: true, writeConcern })),
    adUnits(db).updateOne({ _id: unit }, { $inc: { impressions: 1 } }, { writeConcern }),
    campaigns(db).updateOne({ _id: campaign, state: { $ne: 'ENDED' } }, { $inc: { spent } }, { writeConcern }),
    ...(visitor === ''
      ? []
      : [
          profiles(db).updateOne(
            { _id: `raw-${visitor}` }, // of its own: its documents lack what the model expects
            {
              $push: { [`${contacts}.impressions`]: { $each: [at], $slice: -CONTACTS_MAX } },
              $set: {
                [`${contacts}.campaign_id`]: campaign,
                [`${contacts}.advertiser_id`]: ADVERTISER,
                expires_at: profileExpiryOf(at),
              },
            },
            { upsert: true, writeConcern },
          ),
        ]),
  ]);
}
