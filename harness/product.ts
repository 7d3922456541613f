/**
 * The product as a real process: `node dist/process/main.js`, as built by `npm run build:server`. For crash tests, contract tests and
 * benchmarks.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { MeasuredSettings, TestSettings } from './exceptions.js';
import { type Guarded, spawnGuarded } from './process.js';
import { projectRoot } from './project-root.js';

const START_MS = 120_000; // it takes a second, or a minute on a heavily loaded core
/** Created on the first start. */
export const administrator = { email: 'admin@example.org', password: 'correct horse battery staple' };

export interface ProductOptions {
  /** Null for the embedded server, whose data is in `dataFolder`. */
  readonly mongodbUri: string | null;
  readonly database: string;
  /** Kept afterwards; default: a folder that is removed when the process ends. */
  readonly dataFolder?: string;
  /** More settings, for example `SEXTANT_FAILPOINT`. */
  readonly environment?: TestSettings | MeasuredSettings;
  /** Options of Node.js, for example `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
}

/** Client operations on a running server. */
export interface ProductClient {
  readonly url: string;
  readonly port: number;
  /**
   * Sends an operation.
   * @param token default: the administrator's; null: none
   * @param page the origin of a page in a browser that sends it; default: a program does
   * @throws Error the connection broke: the process died
   */
  request<Data = Record<string, unknown>>(
    query: string,
    variables?: object,
    token?: string | null,
    page?: string,
  ): Promise<Answer<Data>>;
  /** Follows a subscription as the administrator, over a separate socket that does not reconnect. */
  subscribe<Data = Record<string, unknown>>(query: string, variables?: object): AsyncIterableIterator<Answer<Data>>;
  /** Sends an operation with a file as its variable `file`, as the administrator. */
  upload<Data = Record<string, unknown>>(query: string, variables: object, file: File): Promise<Answer<Data>>;
  /** An access token of the administrator; the same one each time. */
  token(): Promise<string>;
}

export interface Product extends ProductClient {
  readonly process: Guarded;
  /** The end of its output so far, for failure messages. */
  output(): string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
}

export interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Starts it and waits until it is ready. @throws Error it exited before; the message has its output */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const main = join(projectRoot, 'dist/process/main.js');
  if (!existsSync(main)) throw new Error('The product is not built: run `npm run build:server`');
  const folder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'sextant-product-')));
  const guarded = await spawnGuarded(process.execPath, [...(options.nodeOptions ?? []), main], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, ...settingsOf(options) },
  });
  if (!options.dataFolder) void guarded.ended.then(() => rm(folder, { recursive: true, force: true }));
  const { url, output } = await address(guarded);
  return {
    ...clientOf(url),
    process: guarded,
    output,
    kill: () => guarded.end('SIGKILL'),
    stop: () => guarded.end('SIGTERM'),
  };
}

export function settingsOf({ mongodbUri, database, environment }: ProductOptions): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    ...(mongodbUri === null ? {} : { MONGODB_URI: mongodbUri }),
    MONGODB_DATABASE: database,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    TOKEN_SECRET: 'a secret that only tests and benchmarks use',
    ...environment,
  };
}

/** Reads the output for the URL on which it listens, and keeps the end of it. */
async function address(guarded: Guarded): Promise<{ url: string; output: () => string }> {
  let text = '';
  const found = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      text = (text + chunk).slice(-20_000);
      const [, url] = /Sextant is ready.*?(http:\/\/127\.0\.0\.1:\d+)/s.exec(text) ?? [];
      if (url) resolve(url);
    };
    guarded.child.stdout?.on('data', read);
    guarded.child.stderr?.on('data', read);
  });
  const died = guarded.ended.then(({ code, signal }) => {
    throw new Error(`The product ended with ${signal ?? code} before it was ready:\n${text}`);
  });
  died.catch(() => undefined); // also when it exits later, as intended
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The product is not ready after ${START_MS} ms:\n${text}`)), START_MS);
  });
  try {
    return { url: await Promise.race([found, died, late]), output: () => text };
  } finally {
    clearTimeout(timer);
  }
}

/** The user agent of a browser, for requests that no program may send. */
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export function clientOf(url: string): ProductClient {
  let signedIn: Promise<string> | null = null;
  const send = async <Data>(
    query: string,
    variables: object,
    token: string | null,
    page?: string,
  ): Promise<Answer<Data>> => {
    const sender = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(page !== undefined && { origin: page, 'user-agent': BROWSER }),
    };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...sender },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer<Data>;
  };
  const token = () => (signedIn ??= signIn(send));
  const upload = async <Data>(query: string, variables: object, file: File): Promise<Answer<Data>> => {
    const form = new FormData(); // in the order of the multipart request specification
    form.set('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
    form.set('map', JSON.stringify({ 0: ['variables.file'] }));
    form.set('0', file);
    const headers = { authorization: `Bearer ${await token()}`, 'apollo-require-preflight': 'true' };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: form });
    return (await response.json()) as Answer<Data>;
  };
  return {
    url,
    upload,
    subscribe: (query, variables = {}) => subscribeAt(url, token, query, variables),
    port: Number(new URL(url).port),
    token,
    request: async (query, variables = {}, own, page) =>
      send(query, variables, own === undefined ? await token() : own, page),
  };
}

/** The socket closes with the iterator. */
async function* subscribeAt<Data>(
  url: string,
  token: () => Promise<string>,
  query: string,
  variables: object,
): AsyncIterableIterator<Answer<Data>> {
  // Before the socket opens: the server gives it three seconds, and signing in may take longer on a loaded machine.
  const authorization = `Bearer ${await token()}`;
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization },
  });
  try {
    yield* client.iterate({ query, variables: { ...variables } }) as AsyncIterableIterator<Answer<Data>>;
  } finally {
    await client.dispose();
  }
}

async function signIn(
  send: (query: string, variables: object, token: null) => Promise<Answer<unknown>>,
): Promise<string> {
  const query = `mutation ($email: EmailAddress!, $password: String!) {
    signIn(email: $email, password: $password) { ... on SignedIn { accessToken } ... on Refusal { message } }
  }`;
  const answer = (await send(query, administrator, null)) as Answer<{ signIn: { accessToken?: string } }>;
  const accessToken = answer.data?.signIn.accessToken;
  if (!accessToken) throw new Error(`The administrator cannot sign in: ${JSON.stringify(answer)}`);
  return accessToken;
}
