import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { spawnGuarded } from '../../harness/process.js';
import { connect } from '../../src/database/connection/client.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startOldServer } from './old-server.js';

const SELECTION_TIMEOUT_MS = 1000;

/** Why a URI is rejected. */
const refusalOf = async (uri: string): Promise<string> => {
  const connection = await connect(uri, 'sextant_test', SELECTION_TIMEOUT_MS).catch((error: Error) => error);
  if (!(connection instanceof Error)) throw new Error(`${uri} was not refused`);
  return connection.message;
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A mongod with custom options. @returns its host, once it accepts connections */
async function startMongod(...options: string[]): Promise<string> {
  const [folder, port] = [await temporaryFolder(), await freePort()];
  const server = await spawnGuarded(
    process.env.MONGOD_BINARY ?? 'mongod',
    ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', ...options],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => server.end());
  const { stdout } = server.child;
  for await (const chunk of stdout ?? []) if (String(chunk).includes('Waiting for connections')) break;
  return `127.0.0.1:${port}`;
}

const STANDALONE =
  'The MongoDB server is a standalone, which has no change streams and no transactions. Start it with --replSet rs0, ' +
  'run rs.initiate() once, and add ?replicaSet=rs0 to MONGODB_URI; one member is enough';

describe('connecting to an external MongoDB', () => {
  it('reports its version and its replica set', async () => {
    const connection = await connect(inject('mongodbUri'), 'sextant_test');
    onTestFinished(() => connection.client.close());
    expect(connection).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), deployment: 'rs0' });
    expect(connection.db.databaseName).toBe('sextant_test');
  });

  it('rejects a standalone, even if the URI calls it a replica set', async () => {
    const host = await startMongod();
    expect(await refusalOf(`mongodb://${host}/`)).toBe(STANDALONE);
    expect(await refusalOf(`mongodb://${host}/?replicaSet=rs0&appName=other`)).toBe(STANDALONE);
  });

  it('rejects a replica set that is not initiated', async () => {
    const host = await startMongod('--replSet', 'rs0');
    expect(await refusalOf(`mongodb://${host}/?replicaSet=rs0`)).toBe(
      'The MongoDB server belongs to a replica set that is not initiated: run rs.initiate() once',
    );
  });

  it('rejects a server that is too old', async () => {
    expect(await refusalOf(await startOldServer('5.0.9', 13))).toBe(
      'Sextant requires MongoDB 6.0 or newer; the server has version 5.0.9',
    );
  });

  it('rejects a server that is too old for the driver', async () => {
    expect(await refusalOf(await startOldServer('3.6.23', 6))).toMatch(
      /^Cannot use MongoDB at mongodb:.* reports maximum wire version 6, .*\. Sextant requires 6\.0 or newer$/,
    );
  });

  it('reports an unreachable address, without the password', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    expect(await refusalOf(`mongodb://ann:secret@${host}/?replicaSet=rs0`)).toBe(
      `Cannot use MongoDB at mongodb://${host}/?replicaSet=rs0: connect ECONNREFUSED ${host}`,
    );
  });

  it('reports what is wrong with an invalid URI', async () => {
    expect(await refusalOf('http://127.0.0.1/')).toMatch(/^MONGODB_URI is not a MongoDB URI: Invalid scheme/);
  });
});
