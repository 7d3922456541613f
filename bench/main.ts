/**
 * npm run bench -- [NAME...] [--rounds 3] [--scale 1] [--only product,floor] [--profile]
 *
 * Runs all benchmarks, or the named ones, and writes RESULTS.md. With --only or --profile it prints the results and
 * writes nothing; --profile shows where the product spends its time. Uses the server at MONGODB_URI, or starts its own.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { type ReplicaSet, startReplicaSet } from '../harness/replica-set.js';
import { adsBenchmarks } from './ads/benchmarks.js';
import { analyticsBenchmarks } from './analytics/benchmarks.js';
import { commentBenchmarks } from './comments/benchmarks.js';
import { commerceBenchmarks } from './commerce/benchmarks.js';
import { contentBenchmarks } from './content/benchmarks.js';
import { gameBenchmarks } from './game/benchmarks.js';
import { realtimeBenchmarks } from './realtime/benchmarks.js';
import { serverBenchmarks } from './server/benchmarks.js';
import { socialBenchmarks } from './social/benchmarks.js';
import type { Benchmark } from './support/benchmark.js';
import { preparePeers } from './support/peers.js';
import { Profiles } from './support/profile.js';
import { describeMachine, keep, table } from './support/report.js';
import { testSuite } from './test-suite.js';

const benchmarks: readonly Benchmark[] = [
  ...realtimeBenchmarks,
  ...analyticsBenchmarks,
  ...serverBenchmarks,
  ...commerceBenchmarks,
  ...contentBenchmarks,
  ...commentBenchmarks,
  ...socialBenchmarks,
  ...adsBenchmarks,
  ...gameBenchmarks,
  testSuite,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    scale: { type: 'string', default: '1' },
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const scale = Number(values.scale);
const only = values.only?.split(',') ?? null;
const profiles = values.profile ? new Profiles() : null;
const log = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);

const unknown = positionals.filter((name) => !benchmarks.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Available: ${benchmarks.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const own: ReplicaSet | null = process.env.MONGODB_URI
  ? null
  : await startReplicaSet({ cacheGb: 1, syncDelay: 60, oplogMb: 1000, logFileMb: 100 });
const mongodbUri = process.env.MONGODB_URI ?? (own as ReplicaSet).uri;
try {
  const machine = describeMachine();
  const versions = await describeVersions();
  const peers = preparePeers(log);
  for (const { name, title, run } of chosen) {
    log(title);
    const findings = await run({
      mongodbUri,
      rounds,
      scale,
      peers,
      only,
      nodeOptions: profiles?.nodeOptions ?? [],
      log,
    });
    for (const one of [...findings.tables, ...(profiles?.tables() ?? [])]) console.log(`\n${table(one)}`);
    const command = `npm run bench -- ${name} --rounds ${rounds} --scale ${scale}`;
    const date = new Date().toISOString().slice(0, 10);
    if (only === null && !profiles) keep(name, { title, date, command, machine, versions, ...findings });
    await dropDatabases();
  }
} finally {
  await own?.stop();
}

async function describeVersions(): Promise<string> {
  const client = await MongoClient.connect(mongodbUri);
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  await client.close();
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return `Node.js ${process.version}, MongoDB ${version}, commit ${commit}`;
}

/** Drops only the databases of the benchmarks: the server may be someone else's. */
async function dropDatabases(): Promise<void> {
  const client = await MongoClient.connect(mongodbUri);
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith('sextant_bench_')) await client.db(name).dropDatabase();
  await client.close();
}
