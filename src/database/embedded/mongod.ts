/** Runs one mongod. Does not load the driver: the supervisor must start fast and stay small. */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from './record.js';

export const REPLICA_SET = 'rs0';
const CACHE_GB = 0.5;
const OPLOG_MB = 1024;
/**
 * How often the journal is flushed. A write with w:1 reaches change streams once it is in the journal. Measured with MongoDB 6.0.5,
 * median of 300 writes: with an interval of 1, 5, 10 and 100 ms (the default) it arrives 1.9, 5.0, 10.0 and 100 ms after it was sent,
 * and the idle server takes 5, 2, 2 and 1 % of a core. Majority writes flush the journal immediately and take 1.1 to 1.5 ms with every
 * interval.
 */
const JOURNAL_INTERVAL_MS = 5;
/** Its log line when it accepts connections. A connection attempt could mistake another program on the port for it. */
const LISTENING = '"msg":"Waiting for connections"';
const LOG_POLL_MS = 10;
const STOP_TIMEOUT_MS = 30_000; // a clean stop takes half a second; a killed server recovers from its journal
const LOG_BYTES_MAX = 10_000_000;

export interface MongodOptions {
  readonly binary: string;
  readonly folder: string;
  readonly port: number;
  /** Additional server parameters (`--setParameter`). */
  readonly parameters: Readonly<Record<string, string | number>>;
}

export interface Mongod {
  readonly pid: number;
  readonly exited: Promise<void>;
  /** Stops it cleanly and waits until it has exited. */
  stop(): Promise<void>;
}

/** The server exited before it accepted connections. `reason` determines what can be done about it. */
export class MongodStartError extends Error {
  override name = 'MongodStartError';
  constructor(
    readonly reason: 'FOLDER_IN_USE' | 'PORT_IN_USE' | 'OTHER',
    message: string,
  ) {
    super(message);
  }
}

/** Starts it and waits until it accepts connections, however long it takes to recover its data. @throws MongodStartError */
export async function startMongod({ binary, folder, port, parameters }: MongodOptions): Promise<Mongod> {
  const dataFolder = dataFolderOf(folder);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const log = await openLog(folder);
  const server = spawn(binary, [...argumentsFor(dataFolder, port, log.path), ...setParameters(parameters)], {
    stdio: 'ignore',
  });
  let failure: Error | null = null;
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    const end = (error?: Error) => {
      failure = error ?? null;
      ended = true;
      resolve();
    };
    server.once('error', end).once('exit', () => end());
  });
  while (!ended && !(await readLog(log)).includes(LISTENING)) await Promise.race([exited, delay(LOG_POLL_MS)]);
  if (ended || server.pid === undefined) throw failure ?? (await explainEnd(log));
  return {
    pid: server.pid,
    exited,
    stop: async () => {
      server.kill('SIGTERM');
      const impatience = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(impatience);
    },
  };
}

export function dataFolderOf(folder: string): string {
  return join(folder, 'data');
}

function argumentsFor(dataFolder: string, port: number, logPath: string): string[] {
  const settings: Record<string, string | number> = {
    dbpath: dataFolder,
    port,
    bind_ip: LOOPBACK,
    replSet: REPLICA_SET,
    wiredTigerCacheSizeGB: CACHE_GB,
    oplogSize: OPLOG_MB,
    journalCommitInterval: JOURNAL_INTERVAL_MS,
    logpath: logPath,
  };
  const switches = ['--logappend', '--nounixsocket', '--noscripting'];
  return [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]), ...switches];
}

function setParameters(parameters: MongodOptions['parameters']): string[] {
  const all = { diagnosticDataCollectionEnabled: 'false', ...parameters };
  return Object.entries(all).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]);
}

interface Log {
  readonly path: string;
  /** Offset of this run's first line. */
  readonly start: number;
}

async function openLog(folder: string): Promise<Log> {
  const path = join(folder, 'mongod.log');
  await (await open(path, 'a', 0o600)).close();
  const { size } = await stat(path);
  if (size <= LOG_BYTES_MAX) return { path, start: size };
  await truncate(path);
  return { path, start: 0 };
}

/** What this run has written so far. */
async function readLog({ path, start }: Log): Promise<string> {
  return await text(createReadStream(path, { start }));
}

/** Why it exited, from the errors in its log. */
async function explainEnd(log: Log): Promise<MongodStartError> {
  const written = await readLog(log);
  if (written.includes('DBPathInUse')) {
    return new MongodStartError('FOLDER_IN_USE', 'another mongod uses its data folder');
  }
  if (written.includes('Address already in use')) return new MongodStartError('PORT_IN_USE', 'its port is taken');
  const errors = written.split('\n').filter((line) => /"s":"[EF]"/.test(line));
  return new MongodStartError(
    'OTHER',
    [`mongod exited immediately, see ${log.path}`, ...errors.map(readable)].join('\n  '),
  );
}

/** A log line, reduced to what people need. */
function readable(line: string): string {
  const { msg, attr } = JSON.parse(line);
  return attr ? `${msg.trim()}: ${JSON.stringify(attr)}` : msg.trim();
}
