import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, connect as openSocket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runSextant, unfolded } from '../../harness/command.js';
import type { TestSettings } from '../../harness/exceptions.js';
import { type Guarded, spawnGuarded } from '../../harness/process.js';
import { projectRoot } from '../../harness/project-root.js';
import { useDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const database = useDatabase();

interface Started {
  readonly process: Guarded;
  /** Its output until it was ready. */
  readonly text: string;
  readonly url: string;
}

/** Where its database is, and who its administrator is. */
type Place = {
  readonly [Name in 'MONGODB_URI' | 'MONGODB_DATABASE' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD']?: string;
};

/** `npm start` on a built project, in its own folder. */
async function start(environment: TestSettings & Place, folder: string): Promise<Started> {
  const server = await spawnGuarded(process.execPath, [join(projectRoot, 'dist/process/main.js')], {
    cwd: folder,
    env: { ...inherited(), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => server.end());
  let text = '';
  for await (const chunk of server.child.stdout ?? []) {
    text += chunk;
    if (text.endsWith('\n\n')) break;
  }
  const [url = 'none'] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
  return { process: server, text, url };
}

const inherited = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  MONGOD_BINARY: process.env.MONGOD_BINARY,
  NODE_ENV: 'test',
});

const onOwnMongoDB = () => ({ MONGODB_URI: database.uri, MONGODB_DATABASE: database.db.databaseName });

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // it has ended
  }
}

/** The lines by name. */
const read = (text: string) =>
  Object.fromEntries([...text.matchAll(/^ {2}(\w+) +(.*)$/gm)].map(([, name, value]) => [name, value]));

async function signIn(url: string, email = '', password = ''): Promise<unknown> {
  const query = `mutation ($email: EmailAddress!, $password: String!) {
    signIn(email: $email, password: $password) { __typename }
  }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { email, password } }),
  });
  return ((await response.json()) as { data: { signIn: { __typename: string } } }).data.signIn.__typename;
}

describe('a server that starts for the first time, without a MongoDB', () => {
  it('prints its URLs, its folder and a working password; on the second start, and after kill -9, no password', async () => {
    const folder = await temporaryFolder();
    const first = await start({}, folder);
    const lines = read(first.text);
    expect(lines).toEqual({
      Dashboard: `${first.url}/`,
      GraphiQL: `${first.url}/graphiql`,
      Endpoint: `${first.url}/graphql`,
      Data: join(folder, 'data/mongodb'),
      Administrator: 'admin@localhost.localdomain',
      Password: expect.stringMatching(/^\S{16,} {3}\(shown only once\)$/),
    });
    const [password] = lines.Password?.split(' ') ?? [];
    expect(await signIn(first.url, lines.Administrator, password)).toBe('SignedIn');

    await first.process.end('SIGKILL');
    const second = await start({}, folder);
    expect(Object.keys(read(second.text))).toEqual(['Dashboard', 'GraphiQL', 'Endpoint', 'Data']);
    expect(await signIn(second.url, lines.Administrator, password)).toBe('SignedIn');
  });

  it('leaves no database process behind, whether it is stopped or killed', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const folder = await temporaryFolder();
      const { process: server } = await start({}, folder);
      const { mongodPort } = JSON.parse(await readFile(join(folder, 'data/mongodb/server.json'), 'utf8'));
      const mongod = openSocket(mongodPort, '127.0.0.1');
      await once(mongod, 'connect');
      const ended = new Promise((resolve) =>
        mongod
          .on('error', () => {})
          .resume()
          .once('close', resolve),
      );
      await server.end(signal);
      await ended;
    }
  });
});

describe('a server on an external MongoDB', () => {
  it('names it, hides GraphiQL when it is off, and uses the configured password', async () => {
    const environment = {
      ...onOwnMongoDB(),
      GRAPHIQL: 'false',
      ADMIN_EMAIL: 'ann@example.org',
      ADMIN_PASSWORD: 'a password of mine',
    } as const;
    const { text, url } = await start(environment, await temporaryFolder());
    expect(read(text)).toEqual({
      Dashboard: `${url}/`,
      Endpoint: `${url}/graphql`,
      Data: expect.stringMatching(/^rs0, MongoDB \d+\.\d+\.\d+$/),
      Administrator: 'ann@example.org',
      Password: 'as in ADMIN_PASSWORD',
    });
    expect(await signIn(url, 'ann@example.org', 'a password of mine')).toBe('SignedIn');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s', async (signal) => {
    const { process: server } = await start(onOwnMongoDB(), await temporaryFolder());
    server.child.kill(signal);
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it('does not outlive the npm that started it', async () => {
    const npm = await spawnGuarded('npm', ['start'], {
      cwd: projectRoot,
      env: { ...inherited(), ...onOwnMongoDB(), PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // a process group of its own
    });
    onTestFinished(() => endGroup(npm.pid));
    const output = npm.child.stdout as Readable;
    const closed = once(output, 'close'); // the server has ended too
    let text = '';
    await new Promise<void>((resolve) =>
      output.on('data', (chunk) => {
        text += chunk;
        if (text.endsWith('\n\n')) resolve(); // it is ready
      }),
    );
    npm.child.kill('SIGTERM');
    await closed;
  });

  it('exits with 0 even while a request never ends', async () => {
    const { process: server, url } = await start({ ...onOwnMongoDB(), SHUTDOWN_MS: '5000' }, await temporaryFolder());
    const request = openSocket(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void request.destroy());
    request.write(
      'POST /graphql HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    );
    await once(request, 'data'); // 100 Continue: it has started
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it('says what to do when its port is taken, exits with 1, and creates no administrator', async () => {
    const untouched = database.client.db(`${database.db.databaseName}_port`);
    onTestFinished(async () => {
      await untouched.dropDatabase();
    });
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => {
      other.close();
    });
    const { port } = other.address() as AddressInfo;
    const { code, output, errors } = await runSextant(
      ['serve'],
      { ...onOwnMongoDB(), MONGODB_DATABASE: untouched.databaseName, PORT: String(port) },
      await temporaryFolder(),
    );
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(unfolded(errors)).toContain(
      `The server cannot listen (listen EADDRINUSE: address already in use 127.0.0.1:${port}): choose another PORT or HOST`,
    );
    expect(await untouched.collection('users').countDocuments()).toBe(0);
  });
});
