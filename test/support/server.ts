/** A server in the test's own process, on a free port and on the test file's database, and clients for it. */
import { randomBytes } from 'node:crypto';
import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll } from 'vitest';
import { WebSocket } from 'ws';
import type { TestSettings } from '../../harness/exceptions.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { buildIndexes, ensureIdentity, openClock } from '../../src/database/index.js';
import { acrossDomains, collectionsOf, domainsOf } from '../../src/domains.js';
import { MaintenanceRunner } from '../../src/jobs/maintenance-runner.js';
import { WorkRunner } from '../../src/jobs/work-runner.js';
import { closeDomains, openDomains, workKindsOf } from '../../src/models/domain.js';
import { ensureAdministrator } from '../../src/models/people/administrator.js';
import { Hub } from '../../src/realtime/hub.js';
import { type RunningServer, type Services, startServer } from '../../src/server/index.js';
import type { TestDatabase } from './database.js';

export interface Answer<Data = Record<string, unknown>> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>> & { readonly code: string };
  }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export interface TestServer extends RunningServer {
  readonly services: Services;
  readonly token: string;
  /** Sends an operation as the administrator. @param token another bearer token; null: as a visitor */
  request<Data = Record<string, unknown>>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    token?: string | null,
  ): Promise<Answer<Data>>;
  /** A graphql-ws client, signed in as the administrator. Disposed with the server. @param token null: as a visitor */
  connect(token?: string | null): Client;
}

/** The settings of a test's server: quiet, on a free port, with its own secret. */
export function testConfig(settings: TestSettings = {}): Config {
  return readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    ...settings,
  });
}

/** Call next to `useDatabase`. @param settings from the tests' list of exceptions */
export function useServer(database: TestDatabase, settings: TestSettings = {}): TestServer {
  let running: TestServer | undefined;
  beforeAll(async () => {
    running = await startTestServer(database, settings);
  });
  afterAll(() => running?.close());
  const server = (): TestServer => {
    if (!running) throw new Error('The server is available after beforeAll');
    return running;
  };
  return {
    get url() {
      return server().url;
    },
    get port() {
      return server().port;
    },
    get services() {
      return server().services;
    },
    get token() {
      return server().token;
    },
    request: (...args) => server().request(...args),
    connect: (token) => server().connect(token),
    close: () => server().close(),
  };
}

const ADMINISTRATOR = { email: 'admin@example.org', password: 'correct horse battery staple' } as const;

/** Signs the test files' administrator in. */
export const SIGN_IN = `mutation { signIn(email: "${ADMINISTRATOR.email}", password: "${ADMINISTRATOR.password}") {
  __typename ... on SignedIn { accessToken refreshToken }
} }`;

export async function startTestServer(
  { client, db, uri }: TestDatabase,
  settings: TestSettings = {},
): Promise<TestServer> {
  const config = testConfig(settings);
  await buildIndexes(db, collectionsOf(domainsOf(config)));
  await ensureAdministrator(db, { ...ADMINISTRATOR, id: randomBytes(12).toString('hex'), now: new Date() });
  const ring = { events: config.RING_EVENTS, bytes: config.RING_BYTES };
  const states = { bytes: config.MAX_STATE_BYTES, bytesPerAccount: config.MAX_STATE_BYTES / 2 };
  const hub = await Hub.create({ db, ring, catchUpsMax: config.CATCH_UPS_MAX, states });
  const onFault = (_fault: string, error: unknown) => {
    throw error;
  };
  const runtime = { client, db, now: () => new Date(), onFault, ...acrossDomains(config) };
  const domains = await openDomains(domainsOf(config), runtime, { ...config, HITS_PREALLOCATE: false });
  const maintenance = new MaintenanceRunner({ db, uri }, config);
  const work = new WorkRunner({ db, uri }, { settings: config, kinds: workKindsOf(domains), onFault });
  const own = {
    config,
    client,
    db,
    databaseIdentity: await ensureIdentity(db),
    now: await openClock(client),
    hub,
    domains,
    maintenance,
    work,
  };
  const services: Services = Object.assign(own, ...domains.map((domain) => domain.services));
  const server = await startServer(services);
  const sockets: Client[] = [];

  const send = async <Data>(query: string, variables: Readonly<Record<string, unknown>>, bearer: string | null) => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer<Data>;
  };
  const answer = await send<{ signIn: { accessToken: string } }>(SIGN_IN, {}, null);
  const { data } = answer;
  if (!data) throw new Error(`The administrator could not sign in: ${JSON.stringify(answer)}`);
  const token = data.signIn.accessToken;

  return {
    ...server,
    services,
    token,
    request: (query, variables = {}, bearer = token) => send(query, variables, bearer),
    connect: (bearer = token) => {
      const socket = createClient({
        url: `${server.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        ...(bearer && { connectionParams: { authorization: `Bearer ${bearer}` } }),
      });
      sockets.push(socket);
      return socket;
    },
    close: async () => {
      for (const socket of sockets) await socket.dispose();
      await server.close();
      await work.close();
      await maintenance.close();
      await closeDomains(domains);
      await hub.close();
    },
  };
}
