/** A shell and a service with different settings once created a second database silently. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runSextant, unfolded } from '../../harness/command.js';
import { type Product, startProduct } from '../../harness/product.js';
import { useDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const database = useDatabase();
let server: Product;
beforeAll(async () => {
  server = await startProduct({ mongodbUri: database.uri, database: database.db.databaseName });
});
afterAll(() => server.stop());

const own = () => ({ MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });
const place = () =>
  `Database: ${database.db.databaseName} at ${database.client.options.hosts.map(String).join(', ')}\n`;
const ADVICE =
  'To use the database of the server, set DATA_DIR, or MONGODB_URI and MONGODB_DATABASE, as the server has them.';

describe('a command next to a running server', () => {
  it.each([
    ['doctor', '--json'],
    ['recover'],
    ['rotate-cursor-key'],
    ['undo-import', 'none'],
    ['import-log', '/none', '--site', 'a.example.org', '--json'],
    ['import-catalog', '/none', '--json'],
    ['reset-password', 'nobody@example.org'],
  ])('names a shared database, and nothing else: %s', async (...parameters) => {
    const { errors } = await runSextant(parameters, { ...own(), PORT: `${server.port}` });
    expect(errors).toContain(place());
    expect(errors).not.toContain('uses another database');
  });

  it('reports that the server uses another database, before it changes anything', async () => {
    const other = database.client.db(`${database.db.databaseName}_other`);
    onTestFinished(async () => void (await other.dropDatabase()));
    const environment = { ...own(), MONGODB_DATABASE: other.databaseName, PORT: `${server.port}` };
    const doubted = `The server at ${server.url} uses another database. ${ADVICE}`;
    const first = await runSextant(['doctor'], environment);
    expect(unfolded(first.errors)).toContain(`This database is new. ${doubted}`);
    expect(await other.listCollections().toArray()).toEqual([]);

    await other.collection('settings').insertMany(await database.db.collection('settings').find().toArray()); // a copy
    const second = await runSextant(['rotate-cursor-key'], environment);
    expect(second).toMatchObject({ code: 0, output: expect.stringContaining('Created a new key') });
    expect(unfolded(second.errors)).toContain(
      `Database: ${other.databaseName} at ${database.client.options.hosts.map(String).join(', ')} ${doubted}`,
    );
  });

  it('reports a second data folder', async () => {
    const folder = await temporaryFolder();
    const environment: Record<string, string> = {
      DATA_DIR: join(folder, 'a folder'),
      PORT: `${server.port}`,
      HOST: '0.0.0.0',
    };
    if (process.env.MONGOD_BINARY) environment.MONGOD_BINARY = process.env.MONGOD_BINARY;
    const { code, errors } = await runSextant(['recover'], environment, folder);
    expect(code).toBe(0);
    expect(unfolded(errors)).toContain(`Database: embedded, in ${join(folder, 'a folder/mongodb')} This database is`);
    expect(unfolded(errors)).toContain(`This database is new. The server at ${server.url} uses another database.`);
  });
});

describe('a command without a Sextant server', () => {
  it.each([
    ['nobody listens', null],
    ['the listener sends an invalid response', 'What?\r\n\r\n'],
    ['a web server returns 404', 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'],
    ['the response names no database', 'HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"status":"ok"}'],
    ['the response never ends', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`],
    ['the listener accepts connections and never answers', ''],
  ])('mentions no server: %s', async (_case, answer) => {
    const listener = createServer((socket) => {
      socket.on('error', () => undefined);
      if (answer) socket.once('data', () => socket.write(answer));
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    if (answer === null) listener.close();
    onTestFinished(() => void listener.close());
    const { code, errors } = await runSextant(['rotate-cursor-key'], { ...own(), PORT: `${port}` });
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining(place()) });
    expect(errors).not.toContain('uses another database');
  });
});
