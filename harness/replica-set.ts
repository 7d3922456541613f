/**
 * A test's own replica set, on loopback and in a temporary folder, which is in memory in a test run if there is room: for tests that kill the
 * database, step down a primary or lose the oplog. Tests that only need a database use `useDatabase`.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { findMongod } from '../src/database/embedded/binary.js';
import { type Guarded, spawnGuarded } from './process.js';
import { waitFor } from './wait-for.js';

const cacheFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sextant');
const START_MS = 30_000;
const ELECTION_MS = 1000; // how long members wait for a silent primary; MongoDB's default is 10 s
const HEARTBEAT_MS = 200;

export interface ReplicaSetOptions {
  /** 1 or 3. */
  readonly members?: 1 | 3;
  /** The oplog's size. Small ones are truncated within seconds, for tests of lost history. */
  readonly oplogMb?: number;
  /** The storage engine's cache. */
  readonly cacheGb?: number;
  /** The size of each file of the storage engine's log, of which it allocates several in advance; MongoDB's default is 100. */
  readonly logFileMb?: number;
  /** Seconds between checkpoints. The oplog is only truncated up to the last one. */
  readonly syncDelay?: number;
  /** Sets in the same cluster must have different names. */
  readonly name?: string;
  /** Its role in a sharded cluster. */
  readonly role?: 'configsvr' | 'shardsvr';
  /** Milliseconds between writes of the journal; MongoDB's default is 100. */
  readonly journalMs?: number;
  /** More of the server's parameters, as `name=value`. */
  readonly parameters?: readonly string[];
}

export interface Member {
  readonly host: string;
  readonly port: number;
  /** False between `kill` and `start`. */
  readonly running: boolean;
  /** SIGKILL: nothing is flushed. */
  kill(): Promise<void>;
  /** Restarts with the same folder and port, and waits until it answers. */
  start(): Promise<void>;
}

export interface ReplicaSet {
  /** For clients: all members and the set's name. */
  readonly uri: string;
  readonly members: readonly Member[];
  /** Waits for a primary. */
  primary(): Promise<Member>;
  /** Waits until every member runs, as primary or secondary: none is still catching up or rolling back. */
  whole(): Promise<void>;
  /** Makes the primary step down and waits until another member has been elected (with one member: until it is primary again). */
  stepDown(): Promise<void>;
  /** Runs an administrative command on one member, for example `configureFailPoint`. */
  command(member: Member, command: Document): Promise<Document>;
  /** Kills all members and removes their files. */
  stop(): Promise<void>;
}

export async function startReplicaSet({ members = 1, ...options }: ReplicaSetOptions = {}): Promise<ReplicaSet> {
  const { name = 'rs0', role } = options;
  const binary = await findMongod({ binary: process.env.MONGOD_BINARY, cacheFolder, onStep: () => undefined });
  const folder = await mkdtemp(join(process.env.TEST_DATABASES_FOLDER ?? tmpdir(), 'sextant-replica-set-'));
  const ports = await freePorts(members);
  const all = await Promise.all(ports.map((port) => startMember(binary, join(folder, String(port)), port, options)));
  const uri = `mongodb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/?replicaSet=${name}`;
  const [first] = all as [Member, ...Member[]];
  await command(first, {
    replSetInitiate: {
      _id: name,
      ...(role === 'configsvr' && { configsvr: true }),
      members: all.map(({ host }, _id) => ({ _id, host })),
      settings: { electionTimeoutMillis: ELECTION_MS, heartbeatIntervalMillis: HEARTBEAT_MS },
    },
  });
  const set: ReplicaSet = {
    uri,
    members: all,
    primary: () => waitForPrimary(all),
    whole: () => waitUntilWhole(first),
    command,
    async stepDown() {
      const old = await set.primary();
      const aside = members === 1 ? 1 : 10; // seconds in which the old primary may not be reelected
      await command(old, {
        replSetStepDown: aside,
        secondaryCatchUpPeriodSecs: members === 1 ? 0 : 5,
        force: members === 1,
      });
      await waitForPrimary(all);
    },
    async stop() {
      await Promise.all(all.map((member) => member.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
  await set.primary();
  return set;
}

async function startMember(
  binary: string,
  folder: string,
  port: number,
  {
    oplogMb = 64,
    cacheGb = 0.25,
    logFileMb = 10,
    syncDelay = 1,
    journalMs = 5,
    name = 'rs0',
    role,
    parameters = [],
  }: ReplicaSetOptions,
): Promise<Member> {
  await mkdir(folder, { recursive: true });
  const log = join(folder, 'mongod.log');
  const host = `127.0.0.1:${port}`;
  let server: Guarded | null = null;
  const args = [
    ...['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', name],
    ...(role ? [`--${role}`] : []),
    ...['--oplogSize', String(oplogMb), '--wiredTigerCacheSizeGB', String(cacheGb)],
    ...['--wiredTigerEngineConfigString', `log=(file_max=${logFileMb}MB)`],
    ...['--journalCommitInterval', String(journalMs)],
    ...['--syncdelay', String(syncDelay), '--logpath', log, '--logappend'],
    ...['--setParameter', 'enableTestCommands=1', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...parameters.flatMap((parameter) => ['--setParameter', parameter]),
  ];
  const member: Member = {
    host,
    port,
    get running() {
      return server !== null;
    },
    async kill() {
      await server?.end('SIGKILL');
      server = null;
    },
    async start() {
      const started = await spawnGuarded(binary, args, { stdio: 'ignore' });
      server = started;
      void started.ended.then(() => {
        if (server === started) server = null;
      });
      try {
        await waitFor(`mongod on ${host}`, START_MS, () => command(member, { ping: 1 }).then(() => true));
      } catch (error) {
        await member.kill();
        throw new Error(`${(error as Error).message}\n${(await readFile(log, 'utf8')).slice(-4000)}`);
      }
    },
  };
  await member.start();
  return member;
}

async function command(member: Member, body: Document): Promise<Document> {
  const client = new MongoClient(`mongodb://${member.host}/?directConnection=true`, { serverSelectionTimeoutMS: 2000 });
  try {
    return await client.db('admin').command(body);
  } finally {
    await client.close();
  }
}

/** The writable primary of the latest election: a deposed one may still report itself as primary for a moment. */
async function waitForPrimary(members: readonly Member[]): Promise<Member> {
  const find = async (): Promise<Member | null> => {
    const states = await Promise.all(
      members.filter(({ running }) => running).map(async (member) => ({ member, hello: await hello(member) })),
    );
    const primaries = states.filter(({ hello }) => hello?.isWritablePrimary);
    const newest = primaries.sort((a, b) => compareElections(b.hello, a.hello))[0];
    return newest?.member ?? null;
  };
  return waitFor('a primary', START_MS, find);
}

async function waitUntilWhole(member: Member): Promise<void> {
  const states = new Set(['PRIMARY', 'SECONDARY']);
  await waitFor('all members', START_MS, async () => {
    const { members } = (await command(member, { replSetGetStatus: 1 })) as { members: { stateStr: string }[] };
    return members.every(({ stateStr }) => states.has(stateStr)) || null;
  });
}

const hello = (member: Member): Promise<Document | null> => command(member, { hello: 1 }).catch(() => null);

const compareElections = (a: Document | null, b: Document | null): number =>
  String(a?.electionId ?? '').localeCompare(String(b?.electionId ?? ''));

/** Opened at the same time, so that the ports differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
