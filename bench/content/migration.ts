/**
 * What readers notice of a migration: the p99 of requests for lists and posts among a million nodes of an old form, before the migration
 * and during it.
 */
import { randomBytes } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { startNodeMigration } from '../../src/models/content/migration/node-migration.js';
import { nodes } from '../../src/models/content/nodes/node.js';
import { FORM } from '../../src/models/content/nodes/node-form.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { type Contestant, productContestant } from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { fillNodes } from './many-nodes.js';
import { noteReads, READS_PER_SECOND, type ReadTimes, readNodes, USEFUL_MS } from './node-readers.js';

const NODES = 1_000_000;
const SECONDS = 20;
const SLOWER_MAX = 2;

const BEFORE = 'before';
const DURING = 'during';

interface Figures extends ReadTimes {
  /** Nodes per second. */
  readonly rate: Rounds;
}

export const migration: Benchmark = {
  name: 'migration',
  title: 'A migration beside readers',
  async run(surroundings) {
    const { mongodbUri, scale, nodeOptions, log } = surroundings;
    const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
    const client = await MongoClient.connect(mongodbUri, { ignoreUndefined: true });
    const db = client.db(place.database);
    try {
      const size = Math.round(NODES * scale);
      await fillNodes(db, size, 'FIRST_FORM');
      log(`${size.toLocaleString('en')} nodes of the first form are stored`);
      const product = await productContestant(place, nodeOptions);
      const figures = await measure(db, product, size, surroundings).finally(() => product.stop());
      return findings(figures, size, surroundings.rounds);
    } finally {
      await db.dropDatabase();
      await client.close();
    }
  },
};

async function measure(db: Db, product: Contestant, size: number, { rounds, log }: Surroundings): Promise<Figures> {
  const figures: Figures = { p50: new Rounds(), p99: new Rounds(), rate: new Rounds(), lost: 0 };
  await readNodes(product, { size, seconds: SECONDS, round: 0 }); // warm-up
  for (let round = 1; round <= rounds; round += 1)
    noteReads(figures, BEFORE, await readNodes(product, { size, seconds: SECONDS, round }));
  log('measured before the migration');
  const act = { actor: 'bench', address: '::1', at: new Date(), keptUntil: new Date() };
  await startNodeMigration(db, act, null);
  for (let done = 0; done === 0; done = await migrated(db)) await new Promise((resolve) => setTimeout(resolve, 100));
  for (let round = 1; round <= rounds; round += 1) {
    const [before, begin] = [await migrated(db), performance.now()];
    noteReads(figures, DURING, await readNodes(product, { size, seconds: SECONDS, round }));
    const after = await migrated(db);
    if (after >= size) throw new Error(`The migration ended before round ${round} did: use more nodes`);
    figures.rate.add(DURING, ((after - before) * 1000) / (performance.now() - begin));
    log(`round ${round} of ${rounds} during the migration: ${after.toLocaleString('en')} nodes migrated`);
  }
  return figures;
}

const migrated = (db: Db): Promise<number> => nodes(db).countDocuments({ form: FORM });

const findings = ({ p50, p99, rate, lost }: Figures, size: number, rounds: number): Findings => ({
  verdicts: [
    {
      row: `p99 of ${READS_PER_SECOND} reads a second during a migration of ${size.toLocaleString('en')} nodes`,
      against: 'the same before it',
      measured: p99.ratio(DURING, BEFORE),
      bound: 'at most',
      goal: SLOWER_MAX,
    },
  ],
  tables: [
    {
      columns: ['', 'p50, ms', 'p99, ms', 'spread of p99', 'nodes/s'],
      rows: [BEFORE, DURING].map((name) => [
        name,
        format(p50.median(name)),
        format(p99.median(name)),
        format(p99.spread(name)),
        name === BEFORE ? '' : format(rate.median(name)),
      ]),
    },
  ],
  notes: [
    `Half of the requests read a list of 20 posts with their summaries, half a post with its HTML, among ${size.toLocaleString('en')} nodes with texts of 300 to 900 bytes, of which none has the present form at the beginning. ${roundsOf(rounds)} of ${SECONDS} s before the migration, then as many during it; it has not ended by then. The rounds before find colder caches. ${lost} requests were refused or took longer than ${USEFUL_MS / 1000} s.`,
  ],
});
