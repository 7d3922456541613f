/** The product in its own process, on the test file's database, and a browser on its dashboard. */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import type { Db } from 'mongodb';
import { type Browser, type BrowserContextOptions, type Page, request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { TestSettings } from '../../../harness/exceptions.js';
import { administrator, type Product, startProduct } from '../../../harness/product.js';
import { useDatabase } from '../../support/database.js';
import { theBrowser } from './chromium.js';
import { addShown } from './evidence.js';

/** A request may arrive before the server stops (and be cut off), while it stops (503), or afterwards. */
const SERVER_GONE =
  /WebSocket connection|ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET_NOT_CONNECTED|status of 503/;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface Dashboard {
  readonly product: Product;
  readonly url: string;
  /** The product's database. */
  readonly db: Db;
  /** Opens a page in a fresh browser profile. After the test its console must contain no error. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Like `open`, after signing in, as the administrator by default. */
  openSignedIn(path: string, credentials?: Credentials, options?: BrowserContextOptions): Promise<Page>;
  /**
   * Stops the product. From here on, the browser's errors about an unreachable server are expected. After the test it is restarted, if
   * that has not happened.
   */
  stop(): Promise<void>;
  /** Like `stop`, but the product has no time to finish anything, or to say goodbye. */
  kill(): Promise<void>;
  /** Restarts the product after `stop` or `kill`, at the same address. */
  restart(): Promise<void>;
  /** Starts a second process on the same database, at another address. Stopped with the first. */
  startAnother(): Promise<Product>;
  /** Errors that match are expected in this test, for example those about an unreachable server. */
  expectErrors(pattern: RegExp): void;
}

/** Call at the top of a `describeInBrowser`. @param settings the product's environment variables, read once */
export function useDashboard(settings: () => Promise<TestSettings> = async () => ({})): Dashboard {
  const database = useDatabase();
  const products: Product[] = [];
  let product: Product | undefined;
  let browser: Browser | undefined;
  let port = 0;
  let isStopped = false;
  let environment: TestSettings = {};
  let errors: string[] = [];
  let expected: RegExp[] = [];

  const start = async (own: TestSettings) => {
    const started = await startProduct({
      mongodbUri: database.uri,
      database: database.db.databaseName,
      environment: { ...environment, ...own },
    });
    products.push(started);
    return started;
  };
  const restart = async () => {
    product = await start({ PORT: `${port}` });
    isStopped = false;
  };
  const expectGone = () => {
    expected.push(SERVER_GONE);
    isStopped = true;
  };
  beforeAll(async () => {
    environment = await settings();
    port = await findFreePort(); // fixed, since a snippet contains it and a restart keeps it
    [product, browser] = await Promise.all([start({ PORT: `${port}` }), theBrowser()]);
  });
  afterAll(async () => {
    for (const started of products) await started.stop();
  });
  afterEach(async ({ task }) => {
    const failure = task.result?.errors?.[0];
    if (failure && browser) await addShown(failure, browser);
    for (const context of browser?.contexts() ?? []) await context.close();
    if (isStopped) await restart(); // the test has failed before it did: the next ones need not
    const found = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
    [errors, expected] = [[], []];
    expect(found, 'errors in the browser console').toEqual([]);
  });

  const open = async (path: string, options: BrowserContextOptions = {}) => {
    if (!browser) throw new Error('The browser is available only after beforeAll');
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(50_000); // below the test's timeout, so that the message names the locator
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`http://127.0.0.1:${port}${path}`);
    return page;
  };
  return {
    get product() {
      if (!product) throw new Error('The product is available only after beforeAll');
      return product;
    },
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get db() {
      return database.db;
    },
    open,
    openSignedIn: async (path, credentials = administrator, options = {}) => {
      const storageState = await signIn(`http://127.0.0.1:${port}`, credentials);
      const page = await open(path, { ...options, storageState });
      if (path === '/') await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      return page;
    },
    stop: async () => {
      expectGone();
      await product?.stop();
    },
    kill: async () => {
      expectGone();
      await product?.kill();
    },
    restart,
    startAnother: () => start({}),
    expectErrors: (pattern) => {
      expected.push(pattern);
    },
  };
}

const SIGN_IN = `mutation ($email: EmailAddress!, $password: String!) {
  signIn(email: $email, password: $password) { ... on SignedIn { accessTokenExpiresAt } ... on Refusal { message } }
}`;
type SignInAnswer = { readonly data?: { readonly signIn: { readonly accessTokenExpiresAt?: string } } | null };

/** Signs in without a page: the tests of the sign-in page show that it does the same. @returns what a browser keeps of it */
async function signIn(
  origin: string,
  { email, password }: Credentials,
): Promise<NonNullable<BrowserContextOptions['storageState']>> {
  const api = await request.newContext();
  try {
    const response = await api.post(`${origin}/graphql`, { data: { query: SIGN_IN, variables: { email, password } } });
    const answer = (await response.json()) as SignInAnswer;
    const until = answer.data?.signIn.accessTokenExpiresAt;
    if (!until) throw new Error(`${email} could not sign in: ${JSON.stringify(answer)}`);
    const { cookies } = await api.storageState();
    const localStorage = [{ name: 'sextant.session.until', value: String(Date.parse(until)) }];
    return { cookies, origins: [{ origin, localStorage }] };
  } finally {
    await api.dispose();
  }
}

async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Serves a page from another origin. @returns its origin, and a function that stops serving it */
export async function servePage(html: () => string): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The value of a figure above the chart, for example "In the chart". */
export const figure = (page: Page, label: string) => page.locator(`dt:text-is("${label}") + dd`).textContent();

/** Polls until a value is as expected: `await eventually(() => …).toBe(…)`. */
export const eventually = <Value>(value: () => Value) => expect.poll(value, { timeout: 30_000 });
