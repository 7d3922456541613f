/** Sample data is filled in, or undone, by a process that dies: another one completes it, and then takes it back whole. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { runSextant } from '../../../harness/command.js';
import { waitFor } from '../../../harness/wait-for.js';
import type { ProgramScenario } from '../../crash/scenario.js';

const DOMAINS = ['commerce', 'ads', 'content', 'social', 'analytics'];

const latestOf = (db: Db, domain: string) =>
  db.collection('work').findOne({ kind: `seed.${domain}` }, { sort: { _id: -1 } });

/** The server continues what is open; the rest is asked for again, as a person would do. */
async function judge(_product: unknown, db: Db): Promise<void> {
  for (const domain of DOMAINS)
    await waitFor(`the end of ${domain}`, 120_000, async () => ((await latestOf(db, domain))?.open ? null : true));
  const place = { MONGODB_URI: uriOf(db), MONGODB_DATABASE: db.databaseName };
  for (const domain of DOMAINS) {
    const latest = await latestOf(db, domain);
    expect(latest?.state ?? 'UNDONE').toMatch(/^(FINISHED|UNDONE)$/);
    if (latest?.state !== 'FINISHED') continue;
    const { code, output, errors } = await runSextant(['seed', domain, '--undo'], place);
    expect(code, `${output}${errors}`).toBe(0);
  }
  const left = [
    ...['products', 'categories', 'cms.nodes', 'cms.versions', 'cms.redirects'],
    ...['social.users', 'social.followers', 'social.posts', 'social.votes', 'social.sources'],
    ...['advertisers', 'campaigns', 'units', 'zones', 'stats', 'receipts'].map((name) => `ad.${name}`),
    ...['sites', 'log.imports', 'log.events', 'hits.daily', 'hits.monthly'],
  ];
  const counts = await Promise.all(left.map((name) => db.collection(name).countDocuments()));
  expect(counts).toEqual(left.map(() => 0));
}

function uriOf(db: Db): string {
  const { hosts, replicaSet } = db.client.options;
  return `mongodb://${hosts.join(',')}/${replicaSet ? `?replicaSet=${replicaSet}` : ''}`;
}

const program = { program: 'test/system/work/seed-program.mjs', variables: {}, seen: null, judge } as const;

/** In the gallery: its last picture is stored, but no photo shows it. */
export const seedGallery: ProgramScenario<null> = { ...program, failpoints: { 'seed.picture-stored': 11 } };

/** A campaign has ended and is still there, or is gone, and others are left. */
export const seedCampaigns: ProgramScenario<null> = {
  ...program,
  failpoints: { 'seed.campaign-ended': 2, 'seed.campaign-removed': 2 },
};

const STEPS_BEFORE_TRAFFIC = 32;

/** In the traffic: its log is imported, or undone, but the step is not recorded. */
export const seedTraffic: ProgramScenario<null> = {
  ...program,
  failpoints: { 'seed.filled': STEPS_BEFORE_TRAFFIC + 2, 'seed.taken-back': STEPS_BEFORE_TRAFFIC + 3 },
};
