/** Readers who have their news open, each with an account and a socket, in the process that measures. */
import type { Db } from 'mongodb';
import { settingsOf } from '../../harness/product.js';
import { subscribe } from '../../harness/subscriber-socket.js';
import { RefreshTokenSeal } from '../../src/models/people/refresh-token.js';
import { beginSession } from '../../src/models/people/sign-in-session.js';
import { users } from '../../src/models/people/user.js';
import { AccessTokens } from '../../src/server/identity/access-token.js';
import { secretKeys } from '../../src/server/identity/token-keys.js';
import { DAY_MS } from '../../src/shared/time.js';
import type { Contestant } from '../support/contestants.js';
import { percentile } from '../support/measure.js';
import { post } from './posting.js';

/** A real client's operation: the dashboard's news. */
const NEWS = `subscription News { newsChanged {
  cursor reset removed
  posts { id type text audience postedAt author { id name } onWallOf { id name } circles { id name } commentCount }
} }`;
const CONNECT_AT_ONCE = 50;
const STUCK_MS = 120_000;
const TEXT = /"text":"(Live \d+)"/g;

/** Access tokens of new accounts with these ids. */
export async function signInAll(db: Db, ids: readonly string[]): Promise<string[]> {
  const now = new Date();
  const account = (id: string) => ({ email: `${id}@example.org`, name: id, password_hash: 'none', created_at: now });
  await users(db).insertMany(ids.map((_id) => ({ _id, ...account(_id), roles: ['MEMBER'] })));
  const keys = secretKeys(settingsOf({ mongodbUri: null, database: '' }).TOKEN_SECRET ?? '');
  const accessTokens = new AccessTokens(keys, DAY_MS / 1000);
  const rules = { seal: new RefreshTokenSeal(keys.sealSecret), lifetimeMs: DAY_MS };
  const tokens: string[] = [];
  for (const userId of ids) {
    const { id: sessionId } = await beginSession(db, rules, { _id: userId }, now);
    tokens.push((await accessTokens.issue({ userId, sessionId }, now)).token);
  }
  return tokens;
}

export class OnlineReaders {
  readonly #db: Db;
  readonly #author: string;
  readonly #arrived = new Map<string, number>();
  readonly #sentAt = new Map<string, number>();
  readonly #ends: (() => void)[] = [];
  #readers = 0;
  #ready = 0;
  #latencies: number[] = [];
  #posted = 0;
  #sample = '';
  #onProgress: () => void = () => undefined;

  constructor(db: Db, author: string) {
    this.#db = db;
    this.#author = author;
  }

  /** Resolves when every reader has the state of their news. @param tokens null: without an account */
  async connect({ port }: Contestant, tokens: readonly (string | null)[]): Promise<void> {
    this.#readers = tokens.length;
    for (let first = 0; first < tokens.length; first += CONNECT_AT_ONCE)
      await Promise.all(tokens.slice(first, first + CONNECT_AT_ONCE).map((token) => this.#open(port, token)));
    await this.#until(() => this.#ready === this.#readers);
  }

  async #open(port: number, token: string | null): Promise<void> {
    let isReady = false;
    let hasEnded = false;
    const socket = await subscribe({
      port,
      init: token === null ? {} : { authorization: `Bearer ${token}` },
      subscription: { query: NEWS, operationName: 'News', variables: {} },
      onNext: (buffer, start, end) => {
        if (isReady) return this.#receive(buffer.toString('utf8', start, end));
        isReady = true;
        this.#ready += 1;
        this.#onProgress();
      },
      onEnd: (reason) => {
        if (!hasEnded) throw new Error(reason); // otherwise the benchmark would wait for a disconnected reader
      },
    });
    this.#ends.push(() => {
      hasEnded = true;
      socket.destroy();
    });
  }

  #receive(message: string): void {
    this.#sample = message;
    for (const [, text = ''] of message.matchAll(TEXT)) {
      this.#arrived.set(text, (this.#arrived.get(text) ?? 0) + 1);
      this.#latencies.push(performance.now() - (this.#sentAt.get(text) ?? 0));
    }
    this.#onProgress();
  }

  /** Publishes posts, each when all readers have the one before. */
  async post(count: number): Promise<{ readonly p50: number; readonly p99: number; readonly bytes: number }> {
    this.#latencies = [];
    for (let at = 0; at < count; at += 1) {
      this.#posted += 1;
      const text = `Live ${this.#posted}`;
      this.#sentAt.set(text, performance.now());
      await post(this.#db, this.#author, text);
      await this.#until(() => this.#arrived.get(text) === this.#readers);
    }
    return {
      p50: percentile(this.#latencies, 0.5),
      p99: percentile(this.#latencies, 0.99),
      bytes: Buffer.byteLength(this.#sample),
    };
  }

  #until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Not all readers have it after ${STUCK_MS} ms`)), STUCK_MS);
      this.#onProgress = () => {
        if (!isReached()) return;
        clearTimeout(timer);
        this.#onProgress = () => undefined;
        resolve();
      };
      this.#onProgress();
    });
  }

  end(): void {
    for (const end of this.#ends) end();
  }
}
