/**
 * A process that sends requests at a given rate, whether or not responses arrive, like many independent users. Time
 * counts from the moment at which a request was due, so a late server also delays the requests that follow.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { percentile } from '../support/measure.js';
import { answerMessages } from './program.js';
import { head, isWhole } from './request-text.js';

export interface ArrivalsOptions {
  readonly port: number;
  readonly authorization: string | null;
  readonly perSecond: number;
  /** Afterwards, requests in flight get two more seconds. */
  readonly seconds: number;
  /** A response later than this does not count. */
  readonly usefulMs: number;
  /** JSON bodies, sent in turn. */
  readonly bodies: readonly string[];
  /** Connections opened in advance. More are opened when all are in use. */
  readonly connections: number;
}

export interface ArrivalsAnswer {
  readonly sent: number;
  readonly accepted: Times;
  /** How many of the requests that were due were answered successfully and in time. */
  readonly useful: number;
  /** Answered with 503. */
  readonly refused: Times;
}

export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** Far more than are in flight when responses arrive quickly. */
const CONNECTIONS_MAX = 2000;
const LAST_MS = 2000;
const STATUS_AT = 'HTTP/1.1 '.length;
/** The status on a connection that was idle for too long: a request sent at that moment was not read. */
const REQUEST_TIMEOUT = '408';

/** A keep-alive connection with at most one request in flight. */
interface Line {
  readonly socket: Socket;
  /** Null while none is in flight. */
  request: Request | null;
  rest: Buffer | null;
}

interface Request {
  readonly message: Buffer;
  readonly dueMs: number;
}

async function run(options: ArrivalsOptions): Promise<ArrivalsAnswer> {
  const { port, authorization, perSecond, seconds, usefulMs, bodies, connections } = options;
  const messages = bodies.map((body) => Buffer.from(`${head(authorization, Buffer.byteLength(body))}${body}`));
  const times: Record<string, number[]> = { 200: [], 503: [] };
  const total = Math.round(perSecond * seconds);
  const lines = new Lines(port, (status, ms) => times[status]?.push(ms) !== undefined);
  await lines.open(connections);
  const beginMs = performance.now();
  let sent = 0;
  /**
   * Sends the requests that are due while a connection is free. A request that waits for one is late, and its time
   * counts.
   */
  const sendDue = () => {
    const due = Math.min(total, 1 + Math.floor(((performance.now() - beginMs) / 1000) * perSecond));
    while (sent < due) {
      const request = {
        message: messages[sent % messages.length] as Buffer,
        dueMs: beginMs + (sent / perSecond) * 1000,
      };
      if (!lines.send(request)) return;
      sent += 1;
    }
  };
  const timer = setInterval(sendDue, 1);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  clearInterval(timer);
  await lines.close(LAST_MS);
  const accepted = times['200'] ?? [];
  const useful = accepted.filter((ms) => ms <= usefulMs).length;
  return { sent, useful, accepted: summary(accepted), refused: summary(times['503'] ?? []) };
}

class Lines {
  readonly #free: Line[] = [];
  readonly #all = new Set<Line>();

  /**
   * @param onAnswer gets the status and the milliseconds since the request was due; returns false for an unexpected
   * status
   */
  constructor(
    private readonly port: number,
    private readonly onAnswer: (status: string, ms: number) => boolean,
  ) {}

  async open(count: number): Promise<void> {
    const opened = Array.from({ length: count }, () => this.#open());
    await Promise.all(opened.map(({ socket }) => once(socket, 'connect')));
    this.#free.push(...opened);
  }

  /** @returns false if the maximum is in flight */
  send(request: Request): boolean {
    const line = this.#free.pop() ?? (this.#all.size < CONNECTIONS_MAX ? this.#open() : null); // the most recently used one
    if (!line) return false;
    line.request = request;
    line.socket.write(request.message);
    return true;
  }

  /** @param ms how long to wait for requests in flight */
  async close(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (this.#free.length < this.#all.size && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 10));
    for (const { socket } of this.#all)
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
  }

  #open(): Line {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    const line: Line = { socket, request: null, rest: null };
    this.#all.add(line);
    socket
      .on('data', (chunk: Buffer) => this.#receive(line, chunk))
      .on('error', () => undefined) // followed by 'close'
      .on('close', () => this.#leave(line));
    return line;
  }

  /** A server closes idle connections. A request that was sent at that moment is sent again, as browsers do. */
  #leave(line: Line): void {
    this.#all.delete(line);
    const at = this.#free.indexOf(line);
    if (at !== -1) this.#free.splice(at, 1);
    if (line.request && line.rest === null) this.send(line.request);
  }

  #receive(line: Line, chunk: Buffer): void {
    line.rest = line.rest ? Buffer.concat([line.rest, chunk]) : chunk;
    if (!line.request || !isWhole(line.rest)) return;
    const status = line.rest.toString('latin1', STATUS_AT, STATUS_AT + 3);
    if (status === REQUEST_TIMEOUT) {
      line.rest = null;
      line.socket.destroy();
      return;
    }
    if (!this.onAnswer(status, performance.now() - line.request.dueMs))
      throw new Error(line.rest.toString('utf8', 0, 2000));
    line.rest = null;
    line.request = null;
    this.#free.push(line);
  }
}

const summary = (times: readonly number[]): Times => ({
  count: times.length,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
});

answerMessages(run);
