/**
 * The record of a data folder's server: the ports, and the secret by which processes of the same user recognize each other.
 * The file is written once, when the folder is new; a port changes only when another program has taken it.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

export const LOOPBACK = '127.0.0.1';
/** Below the ephemeral port range, so that outgoing connections do not take a port while the server is down. */
const PORTS = { from: 20_000, to: 32_000 };

export interface ServerRecord {
  /** The process that listens here owns the folder: the kernel allows only one, and frees the port no matter how it dies. */
  readonly supervisorPort: number;
  readonly mongodPort: number;
  readonly secret: string;
}

/** The record of a folder, created if missing. Safe to run concurrently: one process creates it, the others read it. */
export async function readOrCreateRecord(folder: string): Promise<ServerRecord> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'server.json');
  const present = await readRecord(path);
  if (present) return present;
  const made = await writeAside(path, await newRecord());
  try {
    await link(made, path); // unlike a rename, fails when another process was faster
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(made);
  }
  return await readOrCreateRecord(folder);
}

/** Replaces a record whose port another program has taken. */
export async function replaceRecord(folder: string, record: ServerRecord): Promise<void> {
  const path = join(folder, 'server.json');
  await rename(await writeAside(path, record), path);
}

async function newRecord(): Promise<ServerRecord> {
  const secret = randomBytes(16).toString('hex');
  return { supervisorPort: await findFreePort(), mongodPort: await findFreePort(), secret };
}

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}

/** @throws Error the file exists but is damaged */
async function readRecord(path: string): Promise<ServerRecord | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const record = parse(text) as Partial<ServerRecord> | null;
  if (!record?.supervisorPort || !record.mongodPort || !record.secret) {
    throw new Error(`${path} is damaged. Remove it when no process uses the folder; the data is kept`);
  }
  return record as ServerRecord;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function writeAside(path: string, record: ServerRecord): Promise<string> {
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, JSON.stringify(record), { mode: 0o600, flush: true });
  return aside;
}
