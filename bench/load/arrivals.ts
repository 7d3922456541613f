/**
 * A process that sends requests at a given rate, whether or not answers come: as many people do who know nothing of each other. Time
 * counts from the moment at which a request was due, so a server that is late makes all that follow late as well.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { percentile } from '../measure.js';
import { answerMessages } from './program.js';
import { head, isWhole } from './request-text.js';

export interface ArrivalsOptions {
  readonly port: number;
  readonly authorization: string | null;
  readonly perSecond: number;
  /** After them, what is on its way has two seconds more. */
  readonly seconds: number;
  /** What is answered later than this is of no use to anybody. */
  readonly usefulMs: number;
  /** JSON bodies, sent in turn. */
  readonly bodies: readonly string[];
  /** How many connections there are before. Others are opened when all are taken. */
  readonly connections: number;
}

export interface ArrivalsAnswer {
  readonly sent: number;
  readonly accepted: Times;
  /** Of those that were due: how many were answered well and in time. */
  readonly useful: number;
  /** Answered with 503. */
  readonly refused: Times;
}

export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** Far more than are on their way at once where answers come soon. */
const CONNECTIONS_MAX = 2000;
const LAST_MS = 2000;
const STATUS_AT = 'HTTP/1.1 '.length;
/** Of a connection that was not used for too long: what was just then sent on it was not read. */
const REQUEST_TIMEOUT = '408';

/** A keep-alive connection with at most one request on its way. */
interface Line {
  readonly socket: Socket;
  /** Null while none is on its way. */
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
  /** Sends what is due, as long as a connection is free; what waits for one is late, and its time counts. */
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

  /** @param onAnswer with its status, and the milliseconds since it was due; false when no such answer is expected */
  constructor(
    private readonly port: number,
    private readonly onAnswer: (status: string, ms: number) => boolean,
  ) {}

  async open(count: number): Promise<void> {
    const opened = Array.from({ length: count }, () => this.#open());
    await Promise.all(opened.map(({ socket }) => once(socket, 'connect')));
    this.#free.push(...opened);
  }

  /** @returns false when as many are on their way as may be */
  send(request: Request): boolean {
    const line = this.#free.pop() ?? (this.#all.size < CONNECTIONS_MAX ? this.#open() : null); // the one used last
    if (!line) return false;
    line.request = request;
    line.socket.write(request.message);
    return true;
  }

  /** @param ms for how long to wait for what is on its way */
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
      .on('error', () => undefined) // it is closed then
      .on('close', () => this.#leave(line));
    return line;
  }

  /** A server closes connections that were not used for some time. What was just then sent on one is sent again, as browsers do. */
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
