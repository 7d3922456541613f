/** Sends random operations over every transport to a server in this process, and checks the responses. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { users } from '../../../src/models/people/user.js';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { beginTestSession } from '../../support/people.js';
import { openRawSocket, openReadySocket, type RawSocket } from '../../support/raw-socket.js';
import type { Answer, TestServer } from '../../support/server.js';
import { type RandomOperation, randomOperation } from './random-operation.js';
import { samples } from './samples.js';

export interface FuzzOptions {
  readonly seed: number;
  /** The run ends at this number or at `timeMaxMs`, whichever is reached first. */
  readonly operationsMax: number;
  readonly timeMaxMs: number;
}

export interface FuzzFindings {
  readonly operations: number;
  /** The outcomes: `data`, or the code of the first error. */
  readonly outcomes: Readonly<Record<string, number>>;
}

const ANSWER_MS_MAX = 30_000; // `violations` checks all invariants in a thread of its own, and rests

/**
 * The samples must exist.
 * @throws Error an operation failed with an internal error; the message has the smallest one found, and the seed
 */
export async function fuzz(server: TestServer, { seed, operationsMax, timeMaxMs }: FuzzOptions): Promise<FuzzFindings> {
  const schema = makeSchema();
  const transports = new Transports(server);
  const outcomes: Record<string, number> = {};
  let operations = 0;
  const property = fc.asyncProperty(fc.gen(), async (choose) => {
    const operation = randomOperation(schema, samples, choose);
    const answer = await within(ANSWER_MS_MAX, transports.send(choose(fc.nat, { max: 2 }), operation), operation);
    operations += 1;
    const codes = (answer.errors ?? []).map(({ extensions }) => extensions.code);
    const outcome = codes[0] ?? 'data';
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    expect({ ...operation, codes }).toEqual({
      ...operation,
      codes: codes.filter((code) => code !== 'INTERNAL_SERVER_ERROR'),
    });
    if (codes.includes('UNAUTHENTICATED')) await transports.signIn(); // an operation signed out, or changed its caller's roles
  });
  try {
    await fc.assert(property, {
      seed,
      numRuns: operationsMax,
      interruptAfterTimeLimit: timeMaxMs,
      endOnFailure: false,
    });
  } finally {
    transports.close();
  }
  return { operations, outcomes };
}

/** @throws Error on timeout; the message has what was sent */
async function within<T>(ms: number, work: Promise<T>, sent: RandomOperation): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer after ${ms} ms: ${JSON.stringify(sent)}`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

class Transports {
  #token: string;
  #socket: Promise<RawSocket> | null = null;
  #sent = 0;

  constructor(private readonly server: TestServer) {
    this.#token = server.token;
  }

  send(choice: number, operation: RandomOperation): Promise<Answer> {
    const isSubscription = operation.query.startsWith('subscription');
    if (choice === 1 || (isSubscription && choice === 0)) return this.#overSocket(operation);
    return choice === 2 && !isSubscription ? this.#overEventStream(operation) : this.#overHttp(operation);
  }

  async signIn(): Promise<void> {
    await this.#renewToken();
    this.close();
  }

  /** Without a password: random sign-in attempts soon get this address throttled. */
  async #renewToken(): Promise<void> {
    const { db, config } = this.server.services;
    const administrator = await users(db).findOne({ roles: 'ADMIN' });
    if (!administrator) throw new Error('There is no administrator anymore');
    this.#token = (await beginTestSession(db, config, administrator)).token;
  }

  close(): void {
    this.#socket?.then(
      ({ socket }) => socket.terminate(),
      () => undefined, // reported to the sender
    );
    this.#socket = null;
  }

  #post(path: string, operation: RandomOperation): Promise<Response> {
    return fetch(this.server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(operation),
    });
  }

  async #overHttp(operation: RandomOperation): Promise<Answer> {
    const response = await this.#post('/graphql', operation);
    expect({ ...operation, status: response.status }).toEqual({
      ...operation,
      status: expect.toSatisfy((status) => status < 500),
    });
    return (await response.json()) as Answer;
  }

  async #overEventStream(operation: RandomOperation): Promise<Answer> {
    const text = await (await this.#post('/graphql/stream', operation)).text();
    return JSON.parse(/event: next\ndata: (.*)\n/.exec(text)?.[1] ?? text);
  }

  /** Signs in again when an earlier operation has ended the session. */
  async #open(): Promise<RawSocket> {
    const raw = await openRawSocket(this.server.url);
    raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${this.#token}` } });
    const answer = await Promise.race([raw.next(), raw.closed]);
    if ('type' in answer) return raw;
    await this.#renewToken();
    return openReadySocket(this.server.url, this.#token);
  }

  /** Its first result. */
  async #overSocket(payload: RandomOperation): Promise<Answer> {
    this.#socket ??= this.#open();
    const socket = await this.#socket;
    this.#sent += 1;
    const id = String(this.#sent);
    socket.send({ id, type: 'subscribe', payload });
    for (;;) {
      const message = await Promise.race([socket.next(), socket.closed.then(({ code }) => ({ closed: code }))]);
      if ('closed' in message) {
        this.#socket = null;
        expect({ ...payload, ...message }).toEqual({ ...payload, closed: 4403 }); // it signed out, or changed its caller's roles
        return {};
      }
      if (message.id !== id) continue; // completion of an earlier one
      socket.send({ id, type: 'complete' });
      if (message.type === 'complete') return {};
      return message.type === 'error' ? { errors: message.payload as never } : (message.payload as Answer);
    }
  }
}

/** Memory in use after garbage collection. */
export function usedMemoryMb(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}
