import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { spawnGuarded } from '../../harness/process.js';
import { type EmbeddedServer, openEmbeddedServer } from '../../src/database/embedded/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { writeScript } from './download-mirror.js';

const USER_PROGRAM = fileURLToPath(new URL('embedded-user.mjs', import.meta.url));
const binary = process.env.MONGOD_BINARY;

/** Opens the folder's server in this process; releases it after the test at the latest. */
async function open(folder: string): Promise<EmbeddedServer> {
  const server = await openEmbeddedServer({ folder, binary, cacheFolder: folder });
  onTestFinished(() => server.close());
  return server;
}

/** Opens it in another process. */
async function openElsewhere(folder: string) {
  const user = await spawnGuarded(process.execPath, [USER_PROGRAM, folder, binary ?? ''], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => user.end());
  const { stdout, stdin } = user.child;
  if (!stdout || !stdin) throw new Error('The user has no pipes');
  const [uri] = await once(stdout, 'data');
  const close = async () => {
    stdin.end();
    await user.ended;
  };
  return { uri: String(uri).trim(), kill: () => user.end('SIGKILL'), close };
}

interface Entry {
  _id: string;
  text: string;
}

async function withEntries<T>(uri: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
const entries = (client: MongoClient) => client.db('kept').collection<Entry>('entries');
const write = (uri: string, _id: string) =>
  withEntries(uri, (client) => entries(client).insertOne({ _id, text: 'kept' }, { writeConcern: { w: 'majority' } }));
const read = (uri: string) =>
  withEntries(uri, async (client) => (await entries(client).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id));

const portOf = (uri: string): number => Number(/:(\d+)\//.exec(uri)?.[1]);
const mongodPid = async (folder: string): Promise<number> =>
  Number(await readFile(join(folder, 'data/mongod.lock'), 'utf8'));
const record = async (folder: string): Promise<{ supervisorPort: number; mongodPort: number }> =>
  JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'));

/** Connects, to detect when the process behind a port ends: the connection is closed then. */
async function listenForEnd(port: number): Promise<{ ended: Promise<unknown> }> {
  const socket: Socket = openSocket(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {}).resume(); // a killed process resets it
  return { ended: new Promise((resolve) => socket.once('close', resolve)) };
}

/** The supervisor is mongod's parent. */
async function killSupervisor(folder: string): Promise<void> {
  const { supervisorPort } = await record(folder);
  const { ended } = await listenForEnd(supervisorPort);
  const status = await readFile(`/proc/${await mongodPid(folder)}/status`, 'utf8');
  process.kill(Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]), 'SIGKILL');
  await ended;
}

async function refusesConnections(uri: string): Promise<boolean> {
  const socket = openSocket(portOf(uri), '127.0.0.1');
  return await once(socket, 'connect').then(
    () => socket.destroy() && false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  );
}

describe('an embedded server', () => {
  it('keeps its data across restarts, and its address', async () => {
    const folder = await temporaryFolder();
    const first = await open(folder);
    await write(first.uri, 'a');
    await first.close();
    expect(await refusesConnections(first.uri)).toBe(true);
    const second = await open(folder);
    expect(second.uri).toBe(first.uri);
    expect(await read(second.uri)).toEqual(['a']);
  });

  it('is a replica set with change streams and transactions', async () => {
    const { uri } = await open(await temporaryFolder());
    await withEntries(uri, async (client) => {
      const stream = entries(client).watch();
      const event = stream.next();
      await client.withSession((session) =>
        session.withTransaction(() => entries(client).insertOne({ _id: 'a', text: 'seen' }, { session })),
      );
      expect(await event).toMatchObject({ operationType: 'insert', fullDocument: { _id: 'a', text: 'seen' } });
      await stream.close();
    });
  });

  it('listens on loopback only, and restricts its files to its user', async () => {
    const folder = await temporaryFolder();
    const { uri } = await open(folder);
    const options = await withEntries(uri, (client) => client.db('admin').command({ getCmdLineOpts: 1 }));
    expect(options.parsed.net).toEqual({
      bindIp: '127.0.0.1',
      port: portOf(uri),
      unixDomainSocket: { enabled: false },
    });
    expect(((await stat(join(folder, 'server.json'))).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(join(folder, 'data'))).mode & 0o777).toString(8)).toBe('700');
  });

  it('restarts immediately while it is still stopping', async () => {
    const folder = await temporaryFolder();
    const first = await open(folder);
    await write(first.uri, 'a');
    const closing = first.close();
    const second = await open(folder);
    await closing;
    expect(await read(second.uri)).toEqual(['a']);
  });

  it('moves to another port when a program has taken its own', async () => {
    const folder = await temporaryFolder();
    const first = await open(folder);
    await write(first.uri, 'a');
    await first.close();
    const stranger = createServer((socket) => socket.end()).listen(portOf(first.uri), '127.0.0.1');
    await once(stranger, 'listening');
    onTestFinished(() => {
      stranger.close();
    });
    const second = await open(folder);
    expect(portOf(second.uri)).not.toBe(portOf(first.uri));
    expect(await read(second.uri)).toEqual(['a']);
  });

  it('says why it cannot start', async () => {
    const folder = await temporaryFolder();
    const broken = await writeScript(
      join(folder, 'mongod'),
      'case "$1" in --version) echo "db version v6.0.5";; *) exit 14;; esac',
    );
    await expect(openEmbeddedServer({ folder, binary: broken, cacheFolder: folder })).rejects.toThrow(
      `The embedded server failed to start: mongod exited immediately, see ${join(folder, 'mongod.log')}`,
    );
  });

  it('reports the errors of its log when it cannot read its data', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data/storage.bson'), 'no BSON');
    await expect(openEmbeddedServer({ folder, binary, cacheFolder: folder })).rejects.toThrow(
      /mongod\.log\n {2}Unable to read the storage engine metadata file: \{"error":\{"code":22,/,
    );
  });
});

describe('an embedded server used by several processes', () => {
  it('is the same for all, even when they start it at the same time', async () => {
    const folder = await temporaryFolder();
    const users = await Promise.all([openElsewhere(folder), openElsewhere(folder), open(folder)]);
    expect(new Set(users.map(({ uri }) => uri)).size).toBe(1);
    await write(users[0].uri, 'a');
    expect(await read(users[2].uri)).toEqual(['a']);
  });

  it('runs until the last of them closes it or is killed', async () => {
    const folder = await temporaryFolder();
    const [one, other] = [await open(folder), await openElsewhere(folder)];
    const pid = await mongodPid(folder);
    await one.close();
    await write(other.uri, 'a');
    expect(await mongodPid(folder)).toBe(pid);
    const mongod = await listenForEnd(portOf(other.uri));
    await other.kill();
    await mongod.ended;
  });
});

describe('an embedded server whose user is killed', () => {
  it('stops, and has every acknowledged write on the next start', async () => {
    const folder = await temporaryFolder();
    const user = await openElsewhere(folder);
    await write(user.uri, 'a');
    const { supervisorPort } = await record(folder);
    const [mongod, supervisor] = [await listenForEnd(portOf(user.uri)), await listenForEnd(supervisorPort)];
    await user.kill();
    await Promise.all([mongod.ended, supervisor.ended]);
    const { uri } = await open(folder);
    expect(await read(uri)).toEqual(['a']);
  });
});

describe('an embedded server that dies', () => {
  it('is restarted on the same port, with its data', async () => {
    const folder = await temporaryFolder();
    const { uri } = await open(folder);
    await write(uri, 'a');
    const pid = await mongodPid(folder);
    const mongod = await listenForEnd(portOf(uri));
    process.kill(pid, 'SIGKILL');
    await mongod.ended;
    await write(uri, 'b'); // waits until the server is back
    expect(await read(uri)).toEqual(['a', 'b']);
    expect(await mongodPid(folder)).not.toBe(pid);
  });
});

describe.skipIf(process.platform !== 'linux')('an embedded server whose supervisor is killed', () => {
  it('is taken over by a new supervisor started by its user', async () => {
    const folder = await temporaryFolder();
    const server = await open(folder);
    await write(server.uri, 'a');
    const orphan = await listenForEnd(portOf(server.uri));
    await killSupervisor(folder);
    await orphan.ended;
    await write(server.uri, 'b');
    expect(await read(server.uri)).toEqual(['a', 'b']);
    await server.close();
    expect(await refusesConnections(server.uri)).toBe(true);
  });

  it('is stopped by the next start when its user was killed as well', async () => {
    const folder = await temporaryFolder();
    const user = await openElsewhere(folder);
    await write(user.uri, 'a');
    const orphan = await mongodPid(folder);
    await Promise.all([user.kill(), killSupervisor(folder)]);
    const { uri } = await open(folder);
    expect(await read(uri)).toEqual(['a']);
    expect(await mongodPid(folder)).not.toBe(orphan);
  });
});

describe('a data folder whose port is used by another program', () => {
  it('is rejected, with a remedy', async () => {
    const folder = await temporaryFolder();
    await (await open(folder)).close();
    const { supervisorPort } = await record(folder);
    const stranger = createServer((socket) => socket.end('220 mail.example.org ESMTP\r\n'));
    await vi.waitFor(() => once(stranger.listen(supervisorPort), 'listening'), { timeout: 20_000 }); // once the supervisor has exited
    onTestFinished(() => {
      stranger.close();
    });
    await expect(open(folder)).rejects.toThrow(
      /cannot be reached on port \d+\. .* \(then remove server\.json in that folder\)/,
    );
  });
});
